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
	now := time.Now()
	for range instances {
		all.Go(func() {
			lease, err := store.Leases.Take(context.Background(), "work", "me", now, now.Add(time.Minute))
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
		now := time.Now()
		lease, err := store.Leases.Take(t.Context(), "work", "me", now, now.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return lease
	}
	first, err := mongotest.StartServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !first.Embedded() {
		t.Skip("another MongoDB outlives its clients")
	}
	killed := mongotest.OpenOn(t, first)
	old := take(killed)
	if old == nil || take(mongotest.OpenOn(t, first)) != nil {
		t.Error("while the server runs: want one holder")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := mongotest.StartServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Close() })
	store := mongotest.OpenOn(t, second)
	if l := take(store); l == nil || l.Epoch != old.Epoch+1 {
		t.Errorf("after the server was killed: got %+v, want the next epoch", l)
	}
	if take(store) != nil {
		t.Error("in the new server: the lease was taken twice")
	}
	if err := store.Leases.Extend(t.Context(), old, time.Now().Add(time.Hour)); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("extending a lease of the old server: got %v, want ErrLeaseLost", err)
	}
}

// A holder whose fence meets an insertion by the holder of an older lease tries again; a lease that is lost stays lost.
func TestFencingRace(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	if err := store.Boards.Fence(t.Context(), []string{"a", "b"}, 1); err != nil {
		t.Fatal(err)
	}
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
