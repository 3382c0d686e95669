package graphqlhttp_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events"
	"gamedata/internal/events/stream"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"

	"github.com/coder/websocket"
)

// pipes is a network without buffers: what one end writes waits until the other reads it.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) DialContext(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	p.conns <- far
	return near, nil
}

// socketServer serves sockets over pipes, with events of a store.
type socketServer struct {
	t     *testing.T
	store *mongo.Store
	hub   *events.Hub
	pipes *pipes
	conns []*websocket.Conn // of the clients

	credentials credentials
	lags        []time.Duration
}

// allEvents is the resolvers of subscriptions alone: events selects all events.
type (
	allEvents     struct{ generated.ResolverRoot }
	subscriptions struct{ generated.SubscriptionResolver }
)

func (allEvents) Subscription() generated.SubscriptionResolver { return subscriptions{} }

func (subscriptions) Events(ctx context.Context, _ []model.EventType, _ *string) (<-chan model.EventData, error) {
	return graph.StreamEvents[model.EventData](ctx, graph.EventSelection{}, nil)
}

// serveSockets runs a test with a server for whose subscribers a number of events can wait. Time is simulated.
func serveSockets(t *testing.T, buffer int, test func(*testing.T, *socketServer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store, _ := mongotest.Open(t)
		log := slog.New(slog.DiscardHandler)
		hub := events.New(store, events.Options{Buffer: buffer, Log: log})
		s := &socketServer{t: t, store: store, hub: hub, pipes: newPipes()}
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() { hub.Run(ctx); close(stopped) }()
		schema := generated.NewExecutableSchema(generated.Config{Resolvers: allEvents{}})
		exec := graph.New(schema, graph.Options{Log: log})
		api := httpapi.New(httpapi.Options{
			RateLimit: httpapi.RateLimitOptions{Counters: ratelimit.New(ratelimit.Options{})}, Log: log,
			Authenticator: &s.credentials,
			Streams:       httpapi.StreamOptions{OnLag: func(lag time.Duration) { s.lags = append(s.lags, lag) }},
		})
		visible := func(_ context.Context, list []*model.Event) ([]*model.Event, error) { return list, nil }
		server := httptest.NewUnstartedServer(api.Middleware(graphqlhttp.New(api, exec, graphqlhttp.Options{
			Events: stream.NewSource(api, hub, visible, log), Generation: func() uint64 { return 0 }, Log: log,
			Timeout: time.Minute,
		})))
		server.Listener = s.pipes
		server.Start()
		test(t, s)
		for _, conn := range s.conns {
			_ = conn.CloseNow() // the server would wait for clients that do not read
		}
		stop()
		<-stopped
		api.Streams.Close()
		api.Streams.Wait(t.Context())
		server.Close()
	})
}

func (s *socketServer) open() *websocket.Conn {
	s.t.Helper()
	//nolint:bodyclose // of the socket
	conn, _, err := websocket.Dial(s.t.Context(), "http://127.0.0.1/", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"},
		HTTPClient:   &http.Client{Transport: &http.Transport{DialContext: s.pipes.DialContext}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.conns = append(s.conns, conn)
	return conn
}

func send(t *testing.T, conn *websocket.Conn, message string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

// receive checks the next message that arrives.
func receive(t *testing.T, conn *websocket.Conn, want string) {
	t.Helper()
	if _, text, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(text), want) {
		t.Fatalf("got %s %v, want %s", text, err, want)
	}
}

func exchange(t *testing.T, conn *websocket.Conn, message, want string) {
	t.Helper()
	send(t, conn, message)
	receive(t, conn, want)
}

// subscribe sends a subscription of all events, and waits until it has begun.
func (s *socketServer) subscribe(conn *websocket.Conn) {
	s.t.Helper()
	send(s.t, conn, `{"id":"1","type":"subscribe","payload":{"query":"subscription { events { __typename } }"}}`)
	synctest.Wait()
}

// record records events and waits until the hub has delivered them.
func (s *socketServer) record(n int) {
	s.t.Helper()
	s.append(n)
	time.Sleep(2 * time.Second)
}

func (s *socketServer) append(n int) {
	s.t.Helper()
	list := make([]mongo.NewEvent, n)
	for i := range list {
		list[i].Data = &model.SeasonStarted{Season: i}
	}
	if err := s.store.Events.Append(s.t.Context(), list...); err != nil {
		s.t.Fatal(err)
	}
}

// A client that does not begin within ten seconds is closed with the code that the protocol has for it. One that has
// begun may be silent.
func TestSocketWithoutInit(t *testing.T) {
	serveSockets(t, 10, func(t *testing.T, s *socketServer) {
		opened := time.Now()
		silent, begun := s.open(), s.open()
		exchange(t, begun, `{"type":"connection_init"}`, "connection_ack")
		_, text, err := silent.Read(t.Context())
		if code := websocket.CloseStatus(err); code != 4408 || time.Since(opened) != 10*time.Second {
			t.Errorf("got %s %v after %v, want the code 4408 after 10s", text, err, time.Since(opened))
		}
		exchange(t, begun, `{"type":"ping"}`, "pong")
	})
}

// A malformed credential is rejected; its sender does not become a guest.
func TestSocketWithMalformedCredential(t *testing.T) {
	serveSockets(t, 10, func(t *testing.T, s *socketServer) {
		for _, value := range []string{"5", "null", "true", `["Bearer x"]`, `{"a":"b"}`, `""`, `"Bearer unknown"`} {
			conn := s.open()
			send(t, conn, `{"type":"connection_init","payload":{"authorization":`+value+`}}`)
			if _, text, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 4403 {
				t.Errorf("%s: got %s %v, want the code 4403", value, text, err)
			}
		}
		exchange(t, s.open(), `{"type":"connection_init","payload":{"version":5}}`, "connection_ack")
	})
}

// A subscription whose client receives, but falls behind by more than half a minute, ends with an error that says so.
func TestLaggingSubscription(t *testing.T) {
	const tooSlow = "Events were not received fast enough."
	serveSockets(t, 1000, func(t *testing.T, s *socketServer) {
		conn := s.open()
		exchange(t, conn, `{"type":"connection_init"}`, "connection_ack")
		s.subscribe(conn)
		s.append(250)
		received := 0
		for text := []byte{}; received < 100 && !strings.Contains(string(text), tooSlow); received++ {
			time.Sleep(time.Second)
			var err error
			_, text, err = conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
		}
		if received > 40 {
			t.Errorf("received %d messages", received)
		}
		if n := s.hub.Subscribers(); n != 0 {
			t.Errorf("got %d subscribers, want none", n)
		}
		if most := slices.Max(s.lags); most <= 15*time.Second || most > 60*time.Second {
			t.Errorf("got a lag of %v", most)
		}
	})
}

// A subscription for which too many events wait ends with an error that says so; its socket goes on. A client that does
// not take an event in time loses the socket.
func TestSlowSubscription(t *testing.T) {
	serveSockets(t, 10, func(t *testing.T, s *socketServer) {
		conn := s.open()
		exchange(t, conn, `{"type":"connection_init"}`, "connection_ack")
		s.subscribe(conn)
		if n := s.hub.Subscribers(); n != 1 {
			t.Fatalf("got %d subscribers", n)
		}
		s.record(11)
		if n := s.hub.Subscribers(); n != 0 {
			t.Errorf("got %d subscribers, want none", n)
		}
		receive(t, conn, `{"id":"1","type":"error","payload":[{"message":"Events were not received fast enough.`)
		exchange(t, conn, `{"type":"ping"}`, "pong")
		s.subscribe(conn)
		s.record(1) // and the client does not take it
		time.Sleep(httpapi.FlushTimeout)
		if n := s.hub.Subscribers(); n != 0 {
			t.Errorf("got %d subscribers, want none", n)
		}
	})
}

// credentials accept one token until it is revoked.
type credentials struct{ revoked atomic.Bool }

func (c *credentials) Bearer(_ context.Context, header string) (viewer.Viewer, *graph.Error) {
	if header != "Bearer x" || c.revoked.Load() {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return viewer.Viewer{Kind: viewer.Token, Account: "a", Token: "t"}, nil
}

func (c *credentials) Session(context.Context, string) (viewer.Viewer, *graph.Error) {
	return viewer.Viewer{}, graph.ErrInvalidToken
}

// A client that reads a stream slowly receives nothing 5 seconds after its credential was revoked.
func TestRevokedSlowReader(t *testing.T) {
	serveSockets(t, 1000, func(t *testing.T, s *socketServer) {
		var keys strings.Builder
		for i := range 29 {
			fmt.Fprintf(&keys, " a%d%s:__typename", i, strings.Repeat("x", 120))
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/graphql",
			strings.NewReader(`{"query":"subscription{events{`+keys.String()+`}}"}`))
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {"Bearer x"},
		}
		res, err := (&http.Client{Transport: &http.Transport{DialContext: s.pipes.DialContext}}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		in := bufio.NewReader(res.Body)
		if _, err := in.ReadString('\n'); err != nil { // the stream has begun
			t.Fatal(err)
		}
		s.append(100) // the results have 4 kB
		results, begun := 0, time.Now()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				break
			}
			if strings.HasPrefix(line, "event: next") {
				results++
				time.Sleep(80 * time.Millisecond) // 50 kB a second
				s.credentials.revoked.Store(time.Since(begun) > time.Second)
			}
		}
		if results == 0 || results > 6000/80 {
			t.Errorf("received %d results", results)
		}
	})
}
