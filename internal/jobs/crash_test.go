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
)

// breaker is a store that calls back at the nth command, before it is sent or after it was
// answered.
type breaker struct {
	left          atomic.Int64
	before, after func()
}

func (w *world) breakable(t *testing.T) (*mongo.Store, *breaker) {
	t.Helper()
	b := &breaker{}
	count := func(then *func()) {
		if *then != nil && b.left.Add(-1) == 0 {
			(*then)()
		}
	}
	store, err := mongo.Open(t.Context(), mongo.Options{
		URI: w.server.URI(), Dialer: w.server, Timeout: 20 * time.Second,
		ServerSelectionTimeout: 20 * time.Second, Monitor: &event.CommandMonitor{
			Started:   func(context.Context, *event.CommandStartedEvent) { count(&b.before) },
			Succeeded: func(context.Context, *event.CommandSucceededEvent) { count(&b.after) },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store, b
}

// A refresh may be broken off at any command, before the store saw it or after: the next one
// makes boards and positions what the records make, whatever was played in between.
func TestBrokenOff(t *testing.T) {
	for name, o := range map[string]jobs.Options{"incremental": {}, "full": {Full: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 60)
			w.refresh(t, jobs.Options{})
			store, b := w.breakable(t)
			r := rand.New(rand.NewPCG(1, 2))
			step := 1
			if testing.Short() {
				step = 17
			}
			broken := 0
			for n := 1; ; n += step {
				changed := w.play(t, r, 4)
				ctx, stop := context.WithCancel(t.Context())
				b.left.Store(int64(n))
				if b.before, b.after = stop, nil; n%2 == 0 {
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
				broken++
				if n%3 == 0 {
					// Whoever was finished before stays where he was until he is looked at.
					changed = w.play(t, r, 2)
				}
				w.refresh(t, jobs.Options{})
				w.holds(t, changed...)
				if t.Failed() {
					t.Fatalf("after a break at command %d", n)
				}
			}
			if broken < 60/step {
				t.Errorf("broken off %d times only", broken)
			}
			if _, err := jobs.Sweep(t.Context(), w.Store, now, jobs.Options{}); err != nil {
				t.Fatal(err)
			}
			if extra := w.count(t, "boardPages", bson.D{}); extra != w.named(t) {
				t.Errorf("%d pages are left, %d are named", extra, w.named(t))
			}
		})
	}
}

// An instance that lost its lease in the middle cannot change a board any more, even when it
// does not know yet.
func TestLateWriterIsRefused(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	store, b := w.breakable(t)
	r := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for n := int64(4); n < 120; n += 5 {
		w.play(t, r, 4)
		b.left.Store(n)
		b.before = func() {
			// Its time is over, somebody else works, and then it goes on.
			if _, err := w.raw.Collection("leases").UpdateByID(t.Context(), "leaderboards",
				bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: time.Unix(0, 0)}}}}); err != nil {
				t.Error(err)
			}
			w.play(t, r, 2)
			w.refresh(t, jobs.Options{})
		}
		_, err := jobs.Refresh(t.Context(), store, now, jobs.Options{})
		b.before = nil
		if errors.Is(err, mongo.ErrLeaseLost) {
			refused++
		} else if err != nil {
			t.Fatal(n, err)
		}
		w.refresh(t, jobs.Options{})
		// The one command it was about to send may still have written positions of its own
		// moment into records; they last until the next look.
		w.holds(t)
		if t.Failed() {
			t.Fatalf("late at command %d", n)
		}
	}
	if refused < 5 {
		t.Errorf("refused %d times only", refused)
	}
}
