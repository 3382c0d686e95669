package app_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// testService is a service on a store that a test can stop, with a clock that a test can advance.
type testService struct {
	t       testing.TB
	url     string
	handler http.Handler
	service *app.Service
	store   *mongo.Store
	users   *auth.Accounts

	drained   chan struct{} // ends the wait between failing readiness and refusing connections
	dir       string
	startTime func() time.Time // the clock without offset
	offset    atomic.Int64     // nanoseconds
	mu        sync.Mutex
	server    *embedded.Server // nil while the store is away
}

// newTestService serves the demo world with the given flags. In a benchmark its clock runs.
func newTestService(t testing.TB, flags ...string) *testService {
	t.Helper()
	svc := &testService{t: t, dir: apptest.UnrankedDir(t), startTime: apptest.Now, drained: make(chan struct{})}
	if _, ok := t.(*testing.B); ok {
		svc.startTime = time.Now
	}
	svc.startStore()
	return svc.serve(mongo.Options{Options: conn.Options{
		Timeout: time.Minute, ServerSelectionTimeout: time.Second,
	}}, flags...)
}

// serve serves the demo world from the store that is open.
func (svc *testService) serve(o mongo.Options, flags ...string) *testService {
	svc.t.Helper()
	svc.start(o, flags...)
	server := httptest.NewUnstartedServer(nil)
	server.Config = svc.service.Server()
	server.Start()
	svc.url = server.URL
	svc.t.Cleanup(server.Close)
	return svc
}

// start starts the service without a server: requests go to the handler.
func (svc *testService) start(o mongo.Options, flags ...string) {
	t := svc.t
	t.Helper()
	o.URI, o.FailFast = cmp.Or(o.URI, svc.server.URI()), true
	if o.Dialer == nil {
		o.Dialer = svc
	}
	store, err := mongo.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := apptest.Settings(t, append([]string{
		"--guest-rate", "1000000", "--token-rate", "1000000", "--request-timeout", "2m",
		"--queue-wait", "1m", "--trusted-proxies", "127.0.0.0/8", "--allowed-hosts", "example.com", // of httptest.NewRequest
	}, flags...)...)
	svc.store, svc.users = store, auth.New(store, auth.Options{
		Pepper: "of a test, long enough for one", Now: svc.clock,
		Log: slog.New(slog.DiscardHandler),
	})
	s, err := app.NewService(c, app.Dependencies{
		Store: store, Accounts: svc.users,
		Counters: &app.Counters{Counters: ratelimit.New(ratelimit.Options{Now: svc.clock})},
		Now:      svc.clock, Sleep: svc.sleep, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	svc.handler, svc.service = s.Server().Handler, s
	t.Cleanup(func() {
		s.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Error(err)
		}
		svc.stopStore()
	})
}

func (svc *testService) sleep(time.Duration) { <-svc.drained }

func (svc *testService) clock() time.Time {
	return svc.startTime().Add(time.Duration(svc.offset.Load()))
}

func (svc *testService) advance(d time.Duration) { svc.offset.Add(int64(d)) }

// stopStore stops the store; startStore opens it again.
func (svc *testService) stopStore() {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	if svc.server != nil {
		if err := svc.server.Close(); err != nil {
			svc.t.Error(err)
		}
	}
	svc.server = nil
}

func (svc *testService) startStore() {
	svc.t.Helper()
	server, err := embedded.Open(svc.dir, embedded.Options{NoSync: true})
	if err != nil {
		svc.t.Fatal(err)
	}
	svc.mu.Lock()
	defer svc.mu.Unlock()
	svc.server = server
}

// DialContext connects to the store while it runs.
func (svc *testService) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	svc.mu.Lock()
	server := svc.server
	svc.mu.Unlock()
	if server == nil {
		return nil, net.ErrClosed
	}
	return server.DialContext(ctx, network, address)
}

// secondStore opens the same store as another process would.
func (svc *testService) secondStore() *mongo.Store {
	svc.t.Helper()
	store, err := mongo.Open(svc.t.Context(), mongo.Options{Options: conn.Options{
		URI: "mongodb://embedded/?directConnection=true&retryWrites=false", Dialer: svc,
		Timeout: 5 * time.Second,
	}})
	if err != nil {
		svc.t.Fatal(err)
	}
	svc.t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store
}

// commandCount returns the number of store commands, without those that keep connections alive.
func (svc *testService) commandCount() int64 {
	var n int64
	for name, count := range maps.All(svc.server.Stats().Commands) {
		if name != "hello" && name != "isMaster" && name != "ping" && name != "endSessions" {
			n += count
		}
	}
	return n
}

// request sends a request; headers are name, value, name, value…
func (svc *testService) request(method, path, body string, headers ...string) apptest.Response {
	svc.t.Helper()
	return apptest.Request(svc.t, method, svc.url+path, body, headers...)
}

// handle sends a GET request to the handler, without a server.
func (svc *testService) handle(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	svc.handler.ServeHTTP(w, httptest.NewRequestWithContext(svc.t.Context(), http.MethodGet, path, nil))
	return w
}

// miss is the beginning of Cache-Status of an uncached response.
const miss = "gamedata; fwd=miss"

// createOwner creates an account that is linked to the named player, and returns two of its tokens as Authorization
// headers: a private one and one in Public Mode.
func (svc *testService) createOwner(player string) (private, public string) {
	svc.t.Helper()
	ctx := svc.t.Context()
	account, err := svc.users.Create(ctx, "owner of "+player)
	if err != nil {
		svc.t.Fatal(err)
	}
	code, err := svc.users.Players.CreateLinkCode(ctx, apptest.CastUUID(player))
	if err != nil {
		svc.t.Fatal(err)
	}
	if _, err := svc.users.Players.Link(ctx, account.ID, code); err != nil {
		svc.t.Fatal(err)
	}
	tokens := map[bool]string{}
	for _, public := range []bool{false, true} {
		value, _, err := svc.users.Tokens.Create(ctx, account.ID, fmt.Sprint("public ", public), "", public, nil)
		if err != nil {
			svc.t.Fatal(err)
		}
		tokens[public] = "Bearer " + value
	}
	return tokens[false], tokens[true]
}
