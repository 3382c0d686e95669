package jobs_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
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
		"incremental": {}, "full": {Full: true}, "full in parts": {Full: true, RangeSize: 12, SortMemory: 1 << 10},
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
				interrupted++
				if n%3 == 0 {
					// Only the players that change now are refreshed.
					changed = w.play(t, r, 2)
				}
				w.refresh(t, jobs.Options{RangeSize: o.RangeSize})
				w.checkBoards(t, changed...)
				if t.Failed() {
					t.Fatalf("after an interruption at command %d", n)
				}
			}
			if interrupted < 60/step {
				t.Errorf("interrupted %d times, want at least %d", interrupted, 60/step)
			}
			if _, err := jobs.Sweep(t.Context(), w.Store, now, jobs.Options{}); err != nil {
				t.Fatal(err)
			}
			if extra := w.count(t, "boardPages", bson.D{}); extra != w.namedPages(t) {
				t.Errorf("got %d pages, directories name %d", extra, w.namedPages(t))
			}
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
		_, err := jobs.Refresh(t.Context(), store, now, jobs.Options{})
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

// A full refresh that is interrupted again and again goes on each time: it reads a range of players again only if it
// was interrupted there. Changes since its beginning are on the boards in the end.
func TestFullRefreshGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 200)
	store, b := w.openInterruptible(t)
	r := rand.New(rand.NewPCG(5, 6))
	o := jobs.Options{RangeSize: 20, SortMemory: 4 << 10, TempDir: t.TempDir()}
	attempts, read := 0, 0
	for err := context.Canceled; err != nil; attempts++ {
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if attempts > 0 {
			w.play(t, r, 2)
		}
		last := 0
		o.Progress = func(step string, done, _ int) {
			if step == "reading players" {
				last = done
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		b.left.Store(int64(60 + 15*attempts))
		b.after = stop
		_, err = jobs.Ranks(ctx, store, now, o)
		b.after = nil
		stop()
		read += last
		if attempts > 50 {
			t.Fatal("the refresh does not end")
		}
	}
	if n := len(w.all(t, mongo.RankedPlayers)); attempts < 4 || read > n+20*attempts {
		t.Errorf("%d players were read for %d, in %d attempts", read, n, attempts)
	}
	all := w.all(t, mongo.RankedPlayers)
	w.checkBoards(t, all...)
	if s := w.state(t); s.RanksAt.IsZero() || s.Unfinished || s.Plan != nil {
		t.Errorf("got the state %+v", s)
	}
	guilds, err := w.Guilds.ByUUID(t.Context(), w.all(t, mongo.RankedGuilds))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guilds {
		if g.PreviousRankingAt == nil || !g.PreviousRankingAt.Equal(now) {
			t.Errorf("%s has no positions of the day", g.Name)
		}
	}
	if left := w.count(t, "boardTasks", bson.D{}); left > 0 {
		t.Errorf("got %d tasks, want none", left)
	}
	checkEmpty(t, o.TempDir)
}

// An instance that has lost its task to another changes nothing any more, even before it notices.
func TestLateHelperIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60)
	r := rand.New(rand.NewPCG(7, 8))
	helper, b := w.openInterruptible(t)
	rejected := 0
	for _, during := range []string{"reading players", "sorting players", "ranking players"} {
		for n := int64(3); n < 14; n += 4 {
			w.play(t, r, 4)
			late, finished, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
			var before map[string][]leaderboard.Key
			b.before = func() {
				close(late) // the other instance finishes the refresh before the command is sent
				<-finished
			}
			started := false
			o := jobs.Options{Holder: "one", RangeSize: 10, Progress: func(step string, _, _ int) {
				if started || step != during {
					return
				}
				started = true
				b.left.Store(n)
				go func() {
					defer close(ended)
					_, err := jobs.Help(t.Context(), helper, jobs.Options{Holder: "two", RangeSize: 10})
					if errors.Is(err, mongo.ErrLeaseLost) {
						rejected++
					} else if err != nil {
						t.Errorf("%s, command %d: %v", during, n, err)
					}
				}()
				select {
				case <-late:
				case <-ended:
				}
				if _, err := w.raw.Collection("boardTasks").UpdateMany(t.Context(), bson.D{{Key: "holder", Value: "two"}},
					bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: time.Unix(0, 0)}}}}); err != nil {
					t.Error(err)
				}
			}}
			if _, err := jobs.Ranks(t.Context(), w.Store, now, o); err != nil {
				t.Fatal(err)
			}
			before = w.stored(t)
			close(finished)
			<-ended
			b.before = nil
			for name, keys := range w.stored(t) {
				if !slices.Equal(keys, before[name]) {
					t.Fatalf("%s, command %d: %s was changed", during, n, name)
				}
			}
			w.checkBoards(t)
		}
	}
	if rejected < 4 {
		t.Errorf("rejected %d times, want at least 4", rejected)
	}
}
