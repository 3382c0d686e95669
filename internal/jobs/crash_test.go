package jobs_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// interrupter calls before or after when the nth command starts or has succeeded.
type interrupter struct {
	left          atomic.Int64
	before, after func()
}

func (w *world) openInterruptible(t *testing.T) (*mongo.Store, *interrupter) {
	t.Helper()
	b := &interrupter{}
	count := func(then *func()) {
		if *then != nil && b.left.Add(-1) == 0 {
			(*then)()
		}
	}
	store := mongotest.OpenOn(t, w.server, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{
			Started:   func(context.Context, *event.CommandStartedEvent) { count(&b.before) },
			Succeeded: func(context.Context, *event.CommandSucceededEvent) { count(&b.after) },
		}
	})
	return store, b
}

// A refresh may be interrupted before or after any command: the next one makes boards and rankings match the
// records, whatever changed in between.
func TestInterruptedRefresh(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]jobs.Options{
		"incremental": {}, "full": {Full: true}, "full with a file": {Full: true, SortMemory: 1 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 30)
			w.refresh(t, jobs.Options{})
			store, b := w.openInterruptible(t)
			r := rand.New(rand.NewPCG(1, 2))
			const step = 17 // coprime to 2 and 3, so that every kind of interruption meets every kind of command
			interrupted := 0
			for n := 1; ; n += step {
				changed := w.play(t, r, 4)
				ctx, stop := context.WithCancel(t.Context())
				b.left.Store(int64(n))
				b.before, b.after = stop, nil
				if n%2 == 0 {
					b.before, b.after = nil, stop
				}
				_, err := jobs.Refresh(ctx, store, now, o)
				stop()
				b.before, b.after = nil, nil
				if err == nil {
					break // it ended before its nth command
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("command %d: %v", n, err)
				}
				interrupted++
				if n%3 == 0 {
					// Only the players that change now are refreshed.
					changed = w.play(t, r, 2)
				}
				w.refresh(t, jobs.Options{})
				w.checkBoards(t, changed...)
				if t.Failed() {
					t.Fatalf("after an interruption at command %d", n)
				}
			}
			if interrupted < 40/step {
				t.Errorf("interrupted %d times, want at least %d", interrupted, 40/step)
			}
			w.run(t, jobs.Sweep, now, jobs.Options{})
			w.checkPages(t)
		})
	}
}

// An instance that has lost its lease cannot change a board, even before it notices.
func TestLateWriterIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	store, b := w.openInterruptible(t)
	r := rand.New(rand.NewPCG(3, 4))
	rejected := 0
	for n := int64(4); n < 120; n += 5 {
		w.play(t, r, 4)
		b.left.Store(n)
		b.before = func() {
			// The lease expires, another instance refreshes, then this one continues.
			if _, err := w.raw.Collection("leases").UpdateByID(t.Context(), "leaderboards",
				bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: time.Unix(0, 0)}}}}); err != nil {
				t.Error(err)
			}
			w.play(t, r, 2)
			w.refresh(t, jobs.Options{})
		}
		_, err := jobs.Refresh(t.Context(), store, now, jobs.Options{Full: n%2 == 0})
		b.before = nil
		if errors.Is(err, mongo.ErrLeaseLost) {
			rejected++
		} else if err != nil {
			t.Fatal(n, err)
		}
		w.refresh(t, jobs.Options{})
		// The command it was about to send may have written old rankings, until the next refresh.
		w.checkBoards(t)
		if t.Failed() {
			t.Fatalf("late at command %d", n)
		}
	}
	if rejected < 5 {
		t.Errorf("rejected %d times, want at least 5", rejected)
	}
}
