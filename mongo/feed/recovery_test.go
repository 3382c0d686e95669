package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

// A process stops when it has recorded a part of a batch's events. Long after, when subscribers have read on, another
// one finishes the batch: they get the rest, and everything once.
func TestInterruptedBatchReachesSubscribers(t *testing.T) {
	var passed atomic.Int64 // seconds
	clock := func() time.Time { return time.Now().Add(time.Duration(passed.Load()) * time.Second) }
	store, _ := mongotest.Open(t, func(o *mongo.Options) { o.EventClock = clock })
	storeGame(t, store)
	hub := events.New(store, events.Options{Interval: time.Millisecond, Now: clock})
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { hub.Run(ctx); close(stopped) }()
	defer func() { stop(); <-stopped }()
	s, err := hub.Subscribe(ctx, events.Filter{}, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	receive := func(count int) {
		t.Helper()
		for len(got) < count {
			list, err := s.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				got = append(got, describeEvent(e))
			}
		}
	}
	var sent []feed.Sent
	for level := 4; level < 10; level++ {
		sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", level), Event: decode(t, "GuildProgressed",
			fmt.Sprintf(`{"guild": "%s", "level": %d, "xpPercent": 0}`, moss, level))})
	}
	killed := newJournal(store)
	killed.StopBeforeWriting()
	if _, err := killed.Apply(ctx, sent); !errors.Is(err, feed.ErrStopped) {
		t.Fatal(err)
	}
	if more := writeFirst(t, store, writesOfEntry(t, store)+2); !more {
		t.Fatal("the batch is complete")
	}
	receive(2)
	for range 3 {
		passed.Add(60)
		if err := store.AppendEvents(ctx, mongo.NewEvent{Data: &model.SeasonStarted{Season: 4}}); err != nil {
			t.Fatal(err)
		}
		receive(len(got) + 1)
	}
	if err := newJournal(store).Recover(ctx); err != nil {
		t.Fatal(err)
	}
	receive(9)
	if err := store.AppendEvents(ctx, mongo.NewEvent{Data: &model.SeasonEnded{Season: 4}}); err != nil {
		t.Fatal(err)
	}
	receive(10)
	want := []string{
		"level 4", "level 5", "seasonStarted", "seasonStarted", "seasonStarted", "level 6", "level 7", "level 8", "level 9",
		"seasonEnded",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func describeEvent(e *model.Event) string {
	if level, ok := e.Data.(*model.GuildLevelChanged); ok {
		return fmt.Sprint("level ", level.To)
	}
	return string(e.Type())
}

// writesOfEntry returns the number of writes of the journal's entry, without events.
func writesOfEntry(t *testing.T, store *mongo.Store) (n int) {
	t.Helper()
	j, err := store.ReadJournal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var entry mongo.JournalEntry
	if err := bson.Unmarshal(j.Entry, &entry); err != nil {
		t.Fatal(err)
	}
	for _, step := range entry.Steps {
		n += len(step.Writes)
	}
	return n
}
