package mongo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A task is worked on by one instance at a time and until one of them finishes it, at most as often as it has epochs.
func TestBoardTasks(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	if err := store.Boards.InsertTasks(ctx, []*mongo.BoardTask{
		{ID: "1/0001", Phase: 1, First: 32, Epoch: 32}, {ID: "1/0000", Phase: 1, First: 16, Epoch: 16},
	}); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("failed")
	var epochs []int64
	fail := func(_ context.Context, task *mongo.BoardTask) (mongo.BoardTaskResult, error) {
		epochs = append(epochs, task.Epoch)
		return mongo.BoardTaskResult{}, failure
	}
	succeed := func(context.Context, *mongo.BoardTask) (mongo.BoardTaskResult, error) {
		return mongo.BoardTaskResult{Pages: 3, Entries: map[string]int{"a": 5}}, nil
	}
	if _, err := store.Boards.WorkOnTask(ctx, "one", fail); !errors.Is(err, failure) {
		t.Errorf("got %v, want the failure", err)
	}
	_, err := store.Boards.WorkOnTask(ctx, "one", func(ctx context.Context, task *mongo.BoardTask) (mongo.BoardTaskResult,
		error,
	) {
		epochs = append(epochs, task.Epoch)
		other, err := store.Boards.WorkOnTask(ctx, "two", succeed)
		if err != nil || other == nil || other.ID != "1/0001" {
			t.Errorf("meanwhile: got %+v, %v, want the other task", other, err)
		}
		if other, err = store.Boards.WorkOnTask(ctx, "two", succeed); other != nil || err != nil {
			t.Errorf("all are claimed: got %+v, %v", other, err)
		}
		task.Holder, task.First = "two", 100
		if err := store.Boards.RenewTasks(ctx, []*mongo.BoardTask{task}); err != nil {
			t.Error(err)
		}
		return mongo.BoardTaskResult{}, nil
	})
	if !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("renewed meanwhile: got %v, want ErrLeaseLost", err)
	}
	for err = failure; errors.Is(err, failure); {
		_, err = store.Boards.WorkOnTask(ctx, "two", fail)
	}
	if !errors.Is(err, mongo.ErrClaimedTooOften) || len(epochs) != 2+mongo.BoardTaskClaims-1 ||
		epochs[0] != 17 || epochs[1] != 18 || epochs[2] != 101 {
		t.Errorf("got %v after the epochs %v", err, epochs)
	}
	tasks, err := store.Boards.Tasks(ctx)
	if err != nil || len(tasks) != 2 || tasks[0].Done || !tasks[1].Done || tasks[1].Result.Entries["a"] != 5 {
		t.Errorf("got %+v, %v", tasks, err)
	}
	if err := store.Boards.DeleteTasks(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if tasks, err = store.Boards.Tasks(ctx); err != nil || len(tasks) > 0 {
		t.Errorf("got %+v, %v", tasks, err)
	}
}

// Reserved epochs lie between those of the holder and the next one; an instance that lost the lease gets none.
func TestReserveEpochs(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx, now := t.Context(), time.Now()
	l, err := store.Leases.Take(ctx, "leaderboards", "one", now, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	before := l.Epoch
	if first, err := store.Leases.ReserveEpochs(ctx, l, 32); err != nil || first != before || l.Epoch != before+32 {
		t.Errorf("got %d, %v, then the epoch %d", first, err, l.Epoch)
	}
	if err := store.Leases.Extend(ctx, l, now); err != nil {
		t.Error(err)
	}
	next, err := store.Leases.Take(ctx, "leaderboards", "two", now.Add(time.Second), now.Add(time.Hour))
	if err != nil || next == nil || next.Epoch <= l.Epoch {
		t.Errorf("the next holder: got %+v, %v", next, err)
	}
	if _, err := store.Leases.ReserveEpochs(ctx, l, 32); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("got %v, want ErrLeaseLost", err)
	}
}
