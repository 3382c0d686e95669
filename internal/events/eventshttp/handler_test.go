package eventshttp_test

import (
	"bufio"
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/internal/events/eventshttp"
	"gamedata/internal/events/stream"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// client receives a response as fast as the test lets it.
type client struct {
	header  http.Header
	written chan struct{} // has an entry for each write that begins
	resume  chan struct{} // lets a write end

	mu   sync.Mutex
	body bytes.Buffer
}

func (c *client) Header() http.Header { return c.header }
func (c *client) WriteHeader(int)     {}
func (c *client) Flush()              {}

func (c *client) Write(b []byte) (int, error) {
	c.written <- struct{}{}
	<-c.resume
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.body.Write(b)
}

// runHub runs a hub until stop or the end of the test.
func runHub(t *testing.T, store *mongo.Store, o events.Options) (hub *events.Hub, stop func()) {
	o.Interval, o.Log = time.Millisecond, slog.New(slog.DiscardHandler)
	hub = events.New(store, o)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { hub.Run(ctx); close(stopped) }()
	stop = func() { cancel(); <-stopped }
	t.Cleanup(stop)
	return hub, stop
}

// receive opens a stream and returns its client, once it has received the beginning. ended is closed with the stream.
func receive(t *testing.T, hub *events.Hub, visible func(context.Context, []*model.Event) ([]*model.Event, error)) (
	c *client, api *httpapi.API, ended chan struct{},
) {
	log := slog.New(slog.DiscardHandler)
	api = httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{Counters: ratelimit.New(ratelimit.Options{})}, Log: log,
	})
	handler := api.Middleware(eventshttp.New(api, stream.NewSource(api, hub, visible, log)))
	c = &client{header: http.Header{}, written: make(chan struct{}, 100), resume: make(chan struct{})}
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		handler.ServeHTTP(c, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/events", nil))
	}()
	<-c.written
	c.resume <- struct{}{}
	return c, api, ended
}

// A stream of a player's events does not show that a hidden player took part in something: the event is compared as the
// viewer sees it.
func TestSubjectsAreThoseSeen(t *testing.T) {
	store, _ := mongotest.Open(t)
	hub, _ := runHub(t, store, events.Options{})
	hidden, shown := mongotest.UUID(1), mongotest.UUID(2)
	visible := func(ctx context.Context, list []*model.Event) (out []*model.Event, err error) {
		for _, e := range list {
			if war, ok := e.Data.(*model.WarFinished); ok && slices.Contains(war.Players, hidden) {
				e = &model.Event{ID: e.ID, At: e.At, Data: &model.WarFinished{Guild: war.Guild, Players: []string{}}}
			}
			out = append(out, e)
		}
		return out, ctx.Err()
	}
	s := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		return eventshttp.New(api, stream.NewSource(api, hub, visible, nil))
	})
	res, err := httpapitest.Client.Get(s.URL + "/events?types=warFinished&players=" + hidden + "," + shown)
	mongotest.Must(t, err)
	defer res.Body.Close()
	in := bufio.NewScanner(res.Body)
	in.Scan() // the stream has begun
	for _, player := range []string{hidden, mongotest.UUID(3), shown} {
		e := mongo.NewEvent{Data: &model.WarFinished{Guild: mongotest.UUID(9), Players: []string{player}}}
		mongotest.Must(t, store.Events.Append(t.Context(), e))
	}
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "data: ") {
			if !strings.Contains(in.Text(), shown) {
				t.Errorf("got %s", in.Text())
			}
			return
		}
	}
	t.Error("the stream ended", in.Err())
}

// A stream whose client does not receive ends with an event that says so.
func TestSlowClient(t *testing.T) {
	store, _ := mongotest.Open(t)
	hub, _ := runHub(t, store, events.Options{Buffer: 10})
	visible := func(_ context.Context, list []*model.Event) ([]*model.Event, error) { return list, nil }
	c, api, ended := receive(t, hub, visible)
	record := func(n int) {
		t.Helper()
		list := make([]mongo.NewEvent, n)
		for i := range list {
			list[i].Data = &model.SeasonStarted{Season: i}
		}
		mongotest.Must(t, store.Events.Append(t.Context(), list...))
	}
	record(1)
	<-c.written // and the client does not take it
	record(11)
	for hub.Subscribers() > 0 {
		runtime.Gosched()
	}
	close(c.resume)
	<-ended
	parts := strings.Split(strings.TrimSpace(c.body.String()), "\n\n")
	want := "retry: 2000\nevent: end\ndata: {\"reason\":\"TOO_SLOW\",\"detail\":\"Events were not received fast enough. " +
		"Connect again to continue after the last one received.\"}"
	if len(parts) != 3 || !strings.Contains(parts[1], `"season":0`) || parts[2] != want {
		t.Errorf("got %q", parts)
	}
	if api.Streams.Open() != 0 || hub.Subscribers() != 0 {
		t.Error("the stream is still counted")
	}
}

// A player who hides while the client does not take what was sent is not in what the stream sends after 2 s.
func TestHidingFromSlowClient(t *testing.T) {
	store, _ := mongotest.Open(t)
	player := mongotest.UUID(1)
	mongotest.Must(t, store.Players.Insert(t.Context(), []*model.Player{{UUID: player, Username: "Hiding"}}))
	var late atomic.Bool
	now := func() time.Time {
		if late.Load() {
			return time.Now().Add(5 * time.Second)
		}
		return time.Now()
	}
	hub, stop := runHub(t, store, events.Options{Now: now})
	visible := func(_ context.Context, list []*model.Event) (out []*model.Event, _ error) {
		for _, e := range list {
			if p := e.Players[player]; p == nil || p.Rules == (model.AccessRules{}) {
				out = append(out, e)
			}
		}
		return out, nil
	}
	c, _, ended := receive(t, hub, visible)
	list := []mongo.NewEvent{{Data: &model.PlayerCameOnline{Player: player}}}
	for range 150 { // more than a batch
		list = append(list, mongo.NewEvent{Data: &model.PlayerWentOffline{Player: player}})
	}
	list = append(list, mongo.NewEvent{Data: &model.SeasonStarted{Season: 7}})
	mongotest.Must(t, store.Events.Append(t.Context(), list...))
	<-c.written // of the first batch, and the client does not take it
	found := mongotest.Value(store.Players.ByID(t.Context(), []string{player}))(t)
	found[0].Rules = model.UniformAccessRules(model.Private)
	mongotest.Must(t, store.Players.Put(t.Context(), found))
	late.Store(true)
	close(c.resume)
	<-c.written // of the second batch
	stop()
	<-ended
	text := c.body.String()
	if n := strings.Count(text, "playerWentOffline"); n != 99*2 && n != 99 || !strings.Contains(text, `"season":7`) {
		t.Errorf("got %d events of who hides, and %.300s", n, text[max(0, len(text)-300):])
	}
}
