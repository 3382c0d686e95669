package loaders

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// onlineWorld is a source on a store with three players online.
type onlineWorld struct {
	t      *testing.T
	clock  *clock
	store  *mongo.Store
	server *mongotest.Server
	proxy  *mongotest.Proxy
	source *Source
	purges *cache.Invalidations
	finds  atomic.Int64
	hold   atomic.Pointer[chan struct{}] // queries wait until it is closed
	begun  chan struct{}                 // receives when a query waits
}

func newOnlineWorld(t *testing.T) *onlineWorld {
	w := &onlineWorld{
		t: t, clock: &clock{now: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)},
		purges: new(cache.Invalidations), begun: make(chan struct{}, 100),
	}
	store, server := mongotest.Open(t, mongotest.WithSelectionTimeout(10*time.Millisecond),
		mongotest.WithProxy(&w.proxy), func(o *mongo.Options) {
			o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
				if e.CommandName != "find" {
					return
				}
				w.finds.Add(1)
				if hold := w.hold.Load(); hold != nil {
					w.begun <- struct{}{}
					<-*hold
				}
			}}
		})
	records := mongotest.Value(NewRecords(1<<20, w.clock.Now, w.purges))(t)
	t.Cleanup(records.Close)
	store.OnPurge(w.purges.Purge)
	w.store, w.server = store, server
	w.source = New(store, Options{
		Now: w.clock.Now, Log: slog.New(slog.DiscardHandler), Records: records, Purges: w.purges,
	})
	for n := range 3 {
		w.put(n, true)
	}
	return w
}

// cachedFor returns an operation whose response may be cached.
func cachedFor(age time.Duration) *graph.Operation {
	return &graph.Operation{Policy: graph.Policy{MaxAge: age}}
}

func (w *onlineWorld) put(n int, online bool) {
	w.t.Helper()
	world := "EU37"
	mongotest.Must(w.t, w.store.Players.Put(context.Background(), []*model.Player{
		{UUID: mongotest.UUID(n), Username: "P", Online: online, World: &world},
	}))
}

func (w *onlineWorld) count(ctx context.Context) (int, error) {
	list, err := From(w.source.Attach(ctx, nil)).OnlinePlayers(ctx)
	if err != nil {
		return 0, err
	}
	if len(list.Public) != len(list.All) || list.Worlds["EU37"] != len(list.All) {
		w.t.Errorf("%d public players, worlds %v, want %d", len(list.Public), list.Worlds, len(list.All))
	}
	return len(list.All), nil
}

// expect counts the players and the queries, also of a read in the background.
func (w *onlineWorld) expect(name string, players int, finds int64) {
	w.t.Helper()
	before := w.finds.Load()
	if n, err := w.count(w.t.Context()); n != players || err != nil {
		w.t.Errorf("%s: got %d players, %v, want %d", name, n, err, players)
	}
	_, _, _ = w.source.online.reads.Do("", func() (any, error) { return nil, nil }) // waits for it
	if sent := w.finds.Load() - before; sent != finds {
		w.t.Errorf("%s: sent %d queries, want %d", name, sent, finds)
	}
}

// Operations share the online list while it is fresh. A purged player is read again at once, alone.
func TestOnlineListIsShared(t *testing.T) {
	w := newOnlineWorld(t)
	w.expect("first", 3, 1)
	w.expect("again", 3, 0)
	w.put(1, false)
	w.expect("one purged", 2, 1)
	w.put(7, true)
	w.expect("one more", 3, 1)
	w.purges.Purge("guild:x")
	w.expect("a guild purged", 3, 0)
	w.purges.Purge("player:*")
	w.expect("all purged", 3, 1)
	w.clock.pass(onlineAge + 1)
	w.expect("expired", 3, 1)
	w.clock.pass(onlineRefresh + 1)
	set := From(w.source.Attach(t.Context(), cachedFor(onlineRefresh)))
	before := w.finds.Load()
	mongotest.Value(set.OnlinePlayers(t.Context()))(t)
	if sent, read := w.finds.Load()-before, set.log.stats().Made; sent != 1 || !read.Equal(w.clock.Now()) {
		t.Errorf("as old as the response may be: sent %d queries, read at %v, want a new list", sent, read)
	}
}

// Callers share one read of the list. It outlives callers who leave, and serves the next.
func TestOnlineListIsReadOnce(t *testing.T) {
	w := newOnlineWorld(t)
	before := w.finds.Load()
	release := make(chan struct{})
	w.hold.Store(&release)
	var waiting sync.WaitGroup
	for range 20 {
		waiting.Go(func() {
			if n, err := w.count(context.Background()); n != 3 || err != nil {
				t.Errorf("got %d players, %v", n, err)
			}
		})
	}
	<-w.begun
	hurried, leave := context.WithCancel(t.Context())
	leave()
	if _, err := w.count(hurried); !errors.Is(err, context.Canceled) || errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("a caller that leaves: got %v, want context.Canceled alone", err)
	}
	close(release)
	waiting.Wait()
	if n := w.finds.Load() - before; n != 1 {
		t.Errorf("sent %d queries, want 1", n)
	}

	// An old list is used while it is read again.
	release = make(chan struct{})
	w.clock.pass(onlineRefresh + 1)
	if n, err := w.count(t.Context()); n != 3 || err != nil {
		t.Errorf("during a refresh: got %d players, %v", n, err)
	}
	<-w.begun
	close(release)
	w.clock.pass(onlineAge + 1) // not before the refresh is done
	if n, err := w.count(t.Context()); n != 3 || err != nil {
		t.Errorf("after a refresh: got %d players, %v", n, err)
	}
}

// After a failed read, the list is not read for a second, not even in the background.
func TestOnlineListPauses(t *testing.T) {
	w := newOnlineWorld(t)
	w.expect("first", 3, 1)
	w.proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if c.Name == "find" {
			return mongotest.Action{Reply: mongotest.CommandFailure(13)}
		}
		return mongotest.Action{}
	})
	w.clock.pass(onlineRefresh + 1)
	w.expect("in the background", 3, 1)
	w.expect("paused", 3, 0)
	w.clock.pass(onlineAge)
	w.expect("waiting for it", 3, 1)
	w.expect("paused again", 3, 0)
	w.clock.pass(retryAfter)
	w.expect("tried again", 3, 1)
	w.proxy.Handle(nil)
	w.clock.pass(retryAfter)
	w.expect("read again", 3, 1)
	w.expect("fresh", 3, 0)
}

// While the store fails, the list is served for some minutes, but not after a purge.
func TestOnlineListOutlivesTheStore(t *testing.T) {
	w := newOnlineWorld(t)
	w.expect("first", 3, 1)
	mongotest.Must(t, w.server.Close())
	w.clock.pass(onlineStale)
	if n, err := w.count(t.Context()); n != 3 || err != nil {
		t.Errorf("stale: got %d players, %v", n, err)
	}
	w.expect("paused", 3, 0)
	w.purges.Purge("player:" + mongotest.UUID(1))
	if n, err := w.count(t.Context()); !errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("after a purge: got %d players, %v, want ErrUnavailable", n, err)
	}
}
