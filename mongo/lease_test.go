package mongo_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Of instances that take a lease for the first time at once, one gets it and the others see that it is taken: none
// gets an error, however the engine reports a duplicate key.
func TestLeaseRace(t *testing.T) {
	const instances = 8
	var waiting sync.WaitGroup
	waiting.Add(instances)
	store, _ := mongotest.Open(t, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
			if e.CommandName == "insert" { // all have seen that there is no lease
				waiting.Done()
				waiting.Wait()
			}
		}}
	})
	var taken atomic.Int64
	var all sync.WaitGroup
	for range instances {
		all.Go(func() {
			lease, err := store.Leases.Take(context.Background(), "work", "me", time.Minute)
			if err != nil {
				t.Error(err)
			}
			if lease != nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n != 1 {
		t.Errorf("%d instances have the lease, want 1", n)
	}
}

// A lease of a process that was killed with its embedded server is free when the next one opens the file.
func TestLeaseEndsWithTheServer(t *testing.T) {
	dir := t.TempDir()
	take := func(store *mongo.Store) *mongo.Lease {
		t.Helper()
		lease := must(store.Leases.Take(t.Context(), "work", "me", time.Hour))(t)
		return lease
	}
	first := must(mongotest.StartServer(dir))(t)
	if !first.Embedded() {
		t.Skip("another MongoDB outlives its clients")
	}
	killed := mongotest.OpenOn(t, first)
	old := take(killed)
	if old == nil || take(mongotest.OpenOn(t, first)) != nil {
		t.Error("while the server runs: want one holder")
	}
	check(t, first.Close())
	second := must(mongotest.StartServer(dir))(t)
	t.Cleanup(func() { _ = second.Close() })
	store := mongotest.OpenOn(t, second)
	if l := take(store); l == nil || l.Epoch != old.Epoch+1 {
		t.Errorf("after the server was killed: got %+v, want the next epoch", l)
	}
	if take(store) != nil {
		t.Error("in the new server: the lease was taken twice")
	}
	if _, err := store.Leases.Extend(t.Context(), old, time.Hour); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("extending a lease of the old server: got %v, want ErrLeaseLost", err)
	}
}

// A holder whose lease has ended, because it could not extend it in time, goes on unless another has taken the lease.
func TestLeaseThatEnded(t *testing.T) {
	for name, taken := range map[string]bool{"free": false, "taken": true} {
		t.Run(name, func(t *testing.T) {
			var proxy *mongotest.Proxy
			store, server := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) {
				o.LeaseTerm = 300 * time.Millisecond
			})
			other := mongotest.OpenOn(t, server)
			err := store.Leases.With(t.Context(), "work", "first", func(ctx context.Context, l *mongo.Lease) error {
				proxy.Handle(func(c mongotest.Command) mongotest.Action {
					if c.Collection == mongo.Leases {
						return mongotest.Action{Reply: mongotest.CommandFailure(50)} // out of time
					}
					return mongotest.Action{}
				})
				var err error
				for other.Leases.Held(l) && err == nil {
					l, err = other.Leases.Read(t.Context(), "work")
				}
				if taken && err == nil {
					_, err = other.Leases.Take(t.Context(), "work", "second", time.Hour)
				}
				proxy.Handle(nil)
				return errors.Join(err, store.SetMark(ctx, "done", 1))
			})
			if !taken && err != nil || taken && !errors.Is(err, mongo.ErrLeaseLost) {
				t.Errorf("got %v", err)
			}
			var mark int
			if done, err := other.ReadMark(t.Context(), "done", &mark); err != nil || done == taken {
				t.Errorf("the work is done: %t, %v", done, err)
			}
		})
	}
}

// Processes whose clocks are wrong neither lose nor take leases, and others notice what they purge and record.
func TestWrongClocks(t *testing.T) {
	store, server := mongotest.Open(t)
	purges := must(store.FollowPurges(t.Context(), store.Now()))(t)
	for _, wrong := range []time.Duration{-590 * time.Second, 590 * time.Second} {
		other := mongotest.OpenOn(t, server, func(o *mongo.Options) {
			o.LocalClock = func() time.Time { return time.Now().Add(wrong) }
		})
		check(t, other.Purge(t.Context(), "guild:a"))
		if tags, err := purges.Next(t.Context(), store.Now()); err != nil || len(tags) != 1 {
			t.Errorf("%v: read the purges %v, %v", wrong, tags, err)
		}
		for name, holders := range map[string][2]*mongo.Store{"right": {store, other}, "wrong": {other, store}} {
			first, err := holders[0].Leases.Take(t.Context(), name+wrong.String(), "first", 5*time.Minute)
			second, failed := holders[1].Leases.Take(t.Context(), name+wrong.String(), "second", 5*time.Minute)
			if err := errors.Join(err, failed); err != nil || first == nil || second != nil {
				t.Errorf("%v, %s clock first: %v and %v have the lease, %v", wrong, name, first, second, err)
			}
		}
		check(t, other.Events.Append(t.Context(), seasonStarted("", 1)))
		for _, e := range mongotest.Events(t, store) {
			if at, _ := mongo.EventTime(e.ID); time.Since(at).Abs() > 5*time.Minute {
				t.Errorf("%v: the event was recorded at %v", wrong, at)
			}
		}
	}
	tags, err := purges.Next(t.Context(), store.Now().Add(6*time.Minute))
	if err != nil || len(tags) != 1 || tags[0] != "*" {
		t.Errorf("after a stop: purged %v, %v", tags, err)
	}
}

// A holder whose fence meets an insertion by the holder of an older lease tries again; a lease that is lost stays lost.
func TestFencingRace(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	check(t, store.Boards.Fence(t.Context(), []string{"a", "b"}, 1))
	var raced atomic.Bool
	proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
		if c.Name == "update" && c.Collection == mongo.Boards && !raced.Swap(true) {
			a.Reply = mongotest.WriteFailure(11000)
		}
		return a
	})
	if err := store.Boards.Fence(t.Context(), []string{"b", "c"}, 2); err != nil || !raced.Load() {
		t.Error(err)
	}
	if err := store.Boards.Fence(t.Context(), []string{"b", "c"}, 1); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("an older holder: got %v, want ErrLeaseLost", err)
	}
	n, err := server.Database(t).Collection(mongo.Boards).CountDocuments(t.Context(), bson.D{})
	if err != nil || n != 3 {
		t.Errorf("got %d boards, %v", n, err)
	}
}
