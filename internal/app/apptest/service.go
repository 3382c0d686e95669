package apptest

import (
	"cmp"
	"context"
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
	"gamedata/internal/auth"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// Service is a service on a store that a test can stop, with a clock that a test can advance.
type Service struct {
	T       testing.TB
	URL     string
	Handler http.Handler
	App     *app.Service
	Store   *mongo.Store
	Users   *auth.Accounts

	Drained   chan struct{} // ends the wait between failing readiness and refusing connections
	Dir       string
	startTime func() time.Time // the clock without offset
	offset    atomic.Int64     // nanoseconds
	mu        sync.Mutex
	Server    *embedded.Server // nil while the store is stopped
}

// NewService serves the demo world with the given flags. In a benchmark its clock runs.
func NewService(t testing.TB, flags ...string) *Service {
	t.Helper()
	now := Now
	if _, ok := t.(*testing.B); ok {
		now = time.Now
	}
	svc := OpenStore(t, UnrankedDir(t), now)
	return svc.Serve(mongo.Options{Options: conn.Options{
		Timeout: time.Minute, ServerSelectionTimeout: time.Second,
	}}, flags...)
}

// OpenStore opens the store in dir for a service that a test starts, with a clock.
func OpenStore(t testing.TB, dir string, now func() time.Time) *Service {
	t.Helper()
	svc := &Service{T: t, Dir: dir, startTime: now, Drained: make(chan struct{})}
	svc.StartStore()
	return svc
}

// Serve serves the demo world from the open store.
func (svc *Service) Serve(o mongo.Options, flags ...string) *Service {
	svc.T.Helper()
	svc.Start(o, flags...)
	server := httptest.NewUnstartedServer(nil)
	server.Config = svc.App.Server()
	server.Start()
	svc.URL = server.URL
	svc.T.Cleanup(server.Close)
	return svc
}

// Start starts the service without a server: requests go to the handler.
func (svc *Service) Start(o mongo.Options, flags ...string) {
	t := svc.T
	t.Helper()
	o.URI, o.FailFast = cmp.Or(o.URI, svc.Server.URI()), true
	if o.Dialer == nil {
		o.Dialer = svc
	}
	store, err := mongo.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := Settings(t, append([]string{
		"--guest-rate", "1000000", "--token-rate", "1000000", "--request-timeout", "2m",
		"--queue-wait", "1m", "--trusted-proxies", "127.0.0.0/8", "--allowed-hosts", "example.com", // httptest's host
	}, flags...)...)
	svc.Store, svc.Users = store, auth.New(store, auth.Options{
		Pepper: "of a test, long enough for one", Now: svc.Clock,
		Log: slog.New(slog.DiscardHandler),
	})
	s, err := app.NewService(c, app.Dependencies{
		Store: store, Accounts: svc.Users,
		Counters: &app.Counters{Counters: ratelimit.New(ratelimit.Options{Now: svc.Clock})},
		Now:      svc.Clock, Sleep: svc.sleep, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	svc.Handler, svc.App = s.Server().Handler, s
	t.Cleanup(func() {
		s.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Error(err)
		}
		svc.StopStore()
	})
}

// Listen serves on a socket until ctx ends. It returns the URL, and a channel that receives the final error.
func (svc *Service) Listen(ctx context.Context) (base string, ended <-chan error) {
	svc.T.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		svc.T.Fatal(err)
	}
	result := make(chan error, 1)
	go func() { result <- svc.App.Serve(ctx, listener, time.Second, time.Minute) }()
	return "http://" + listener.Addr().String(), result
}

func (svc *Service) sleep(time.Duration) { <-svc.Drained }

// Clock returns the time of the service.
func (svc *Service) Clock() time.Time {
	return svc.startTime().Add(time.Duration(svc.offset.Load()))
}

// Advance moves the clock forward.
func (svc *Service) Advance(d time.Duration) { svc.offset.Add(int64(d)) }

// StopStore stops the store; StartStore opens it again.
func (svc *Service) StopStore() {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	if svc.Server != nil {
		if err := svc.Server.Close(); err != nil {
			svc.T.Error(err)
		}
	}
	svc.Server = nil
}

// StartStore opens the store again after StopStore.
func (svc *Service) StartStore() {
	svc.T.Helper()
	server, err := embedded.Open(svc.Dir, embedded.Options{NoSync: true})
	if err != nil {
		svc.T.Fatal(err)
	}
	svc.mu.Lock()
	defer svc.mu.Unlock()
	svc.Server = server
}

// DialContext connects to the store while it runs.
func (svc *Service) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	svc.mu.Lock()
	server := svc.Server
	svc.mu.Unlock()
	if server == nil {
		return nil, net.ErrClosed
	}
	return server.DialContext(ctx, network, address)
}

// CommandCount returns the number of store commands, except the ones that keep connections alive.
func (svc *Service) CommandCount() int64 {
	var n int64
	for name, count := range maps.All(svc.Server.Stats().Commands) {
		if name != "hello" && name != "isMaster" && name != "ping" && name != "endSessions" {
			n += count
		}
	}
	return n
}

// Request sends a request; headers are name, value, name, value…
func (svc *Service) Request(method, path, body string, headers ...string) Response {
	svc.T.Helper()
	return Request(svc.T, method, svc.URL+path, body, headers...)
}

// Handle sends a GET request to the handler, without a server.
func (svc *Service) Handle(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	svc.Handler.ServeHTTP(w, httptest.NewRequestWithContext(svc.T.Context(), http.MethodGet, path, nil))
	return w
}

// Miss is the beginning of Cache-Status of an uncached response.
const Miss = "gamedata; fwd=miss"

// CreateOwner creates an account that is linked to the named player, and returns two of its tokens as Authorization
// headers: a private one and one in Public Mode.
func (svc *Service) CreateOwner(player string) (private, public string) {
	svc.T.Helper()
	ctx := svc.T.Context()
	id, err := createMember(ctx, svc.Users, player)
	if err == nil {
		private, _, err = svc.Users.Tokens.Create(ctx, id, "private", "", false, nil)
	}
	if err == nil {
		public, _, err = svc.Users.Tokens.Create(ctx, id, "public", "", true, nil)
	}
	if err != nil {
		svc.T.Fatal(err)
	}
	return "Bearer " + private, "Bearer " + public
}
