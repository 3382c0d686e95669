package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/embedded"
	"gamedata/mongo/seed"
)

// testService is the service on a store that a test can take away, at a time that it turns.
type testService struct {
	t       testing.TB
	url     string
	handler http.Handler
	service *app.Service
	store   *mongo.Store
	users   *auth.Accounts

	drained chan struct{} // ends the wait between failing readiness and refusing connections
	dir     string
	begun   func() time.Time // the clock, but for ahead
	ahead   atomic.Int64     // nanoseconds
	mu      sync.Mutex
	server  *embedded.Server // nil while the store is away
	wire    *wire            // the network to the store, nil when it is in memory
}

// demoNow is the time that the demo world of a testService was made at.
func demoNow() time.Time { return time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC) }

// keep serves the demo world with the flags given. In a benchmark time goes by.
func newTestService(t testing.TB, flags ...string) *testService {
	t.Helper()
	k := &testService{t: t, dir: unrankedDir(t), begun: demoNow, drained: make(chan struct{})}
	if _, ok := t.(*testing.B); ok {
		k.begun = time.Now
	}
	k.startStore()
	return k.serve(mongo.Options{Timeout: time.Minute, ServerSelectionTimeout: time.Second}, flags...)
}

// serve serves the demo world from the store that is open.
func (k *testService) serve(o mongo.Options, flags ...string) *testService {
	t := k.t
	t.Helper()
	o.URI, o.Dialer, o.FailFast = k.server.URI(), k, true
	store, err := mongo.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var c config.Service
	set := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(set)
	if err := set.Parse(append([]string{
		"--guest-rate", "1000000", "--token-rate", "1000000", "--request-timeout", "2m",
		"--queue-wait", "1m", "--trusted-proxies", "127.0.0.0/8",
	}, flags...)); err != nil {
		t.Fatal(err)
	}
	k.store, k.users = store, auth.New(store, auth.Options{
		Pepper: "of a test, long enough for one",
		Log:    slog.New(slog.DiscardHandler),
	})
	s, err := app.NewService(&c, app.Dependencies{
		Store: store, Accounts: k.users, Counters: &app.Counters{Counters: ratelimit.New(ratelimit.Options{})},
		Now: k.clock, Sleep: k.sleep, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	k.handler, k.service = s.Server().Handler, s
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.Server()
	server.Start()
	k.url = server.URL
	t.Cleanup(func() {
		server.Close()
		s.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Error(err)
		}
		k.stopStore()
	})
	return k
}

func (k *testService) sleep(time.Duration) { <-k.drained }

func (k *testService) clock() time.Time { return k.begun().Add(time.Duration(k.ahead.Load())) }

func (k *testService) wait(d time.Duration) { k.ahead.Add(int64(d)) }

// stopStore stops the store; startStore opens it again.
func (k *testService) stopStore() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.server != nil {
		if err := k.server.Close(); err != nil {
			k.t.Error(err)
		}
	}
	k.server = nil
}

func (k *testService) startStore() {
	k.t.Helper()
	server, err := embedded.Open(k.dir, embedded.Options{NoSync: true})
	if err != nil {
		k.t.Fatal(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.server = server
}

// DialContext reaches the store while it is there.
func (k *testService) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if k.wire != nil {
		return k.wire.DialContext(ctx, network, address)
	}
	return k.reach(ctx)
}

// reach connects to the store in memory.
func (k *testService) reach(ctx context.Context) (net.Conn, error) {
	k.mu.Lock()
	server := k.server
	k.mu.Unlock()
	if server == nil {
		return nil, net.ErrClosed
	}
	return server.DialContext(ctx, "", "")
}

// beside is the same store as another process has it open.
func (k *testService) beside() *mongo.Store {
	k.t.Helper()
	store, err := mongo.Open(k.t.Context(), mongo.Options{
		URI: "mongodb://embedded/?directConnection=true", Dialer: k,
		Timeout: 5 * time.Second,
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store
}

// commands counts what the store was asked for, signs of life left out.
func (k *testService) commands() int64 {
	var n int64
	for name, count := range maps.All(k.server.Stats().Commands) {
		if name != "hello" && name != "isMaster" && name != "ping" && name != "endSessions" {
			n += count
		}
	}
	return n
}

// ask sends a request; headers are name, value, name, value…
func (k *testService) ask(method, path, body string, headers ...string) answer {
	k.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, k.url+path, strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	return received(k.t, resp)
}

// miss is what Cache-Status begins with when an answer was made for the request.
const miss = "gamedata; fwd=miss"

// is fails unless an answer has a status and headers, name, value, name…; an empty value means
// that the header is not there. Of Cache-Status the first parameters are enough.
func (a answer) is(t *testing.T, name string, status int, headers ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("%s: %d, want %d: %.300s", name, a.status, status, a.body)
	}
	for i := 0; i < len(headers); i += 2 {
		v, want := a.header.Get(headers[i]), headers[i+1]
		if headers[i] == "Cache-Status" && want != "" && strings.HasPrefix(v, want+";") {
			continue
		}
		if v != want {
			t.Errorf("%s: %s is %q, want %q", name, headers[i], v, headers[i+1])
		}
	}
}

// cast is the uuid of a player of the cast.
func cast(t testing.TB, name string) string {
	t.Helper()
	for _, m := range seed.Cast {
		if m.Username == name {
			return m.UUID
		}
	}
	t.Fatalf("%s is not in the cast", name)
	return ""
}

// owner makes an account whose own player is the one of a name, and gives tokens of it: a
// private one and one in Public Mode, each as an Authorization header.
func (k *testService) owner(player string) (private, public string) {
	k.t.Helper()
	ctx := k.t.Context()
	account, err := k.users.Create(ctx, "who is "+player)
	if err != nil {
		k.t.Fatal(err)
	}
	code, err := k.users.CreateLinkCode(ctx, cast(k.t, player))
	if err != nil {
		k.t.Fatal(err)
	}
	if _, err := k.users.LinkPlayer(ctx, account.ID, code); err != nil {
		k.t.Fatal(err)
	}
	tokens := map[bool]string{}
	for _, public := range []bool{false, true} {
		value, _, err := k.users.CreateToken(ctx, account.ID, fmt.Sprint("public ", public), "", public)
		if err != nil {
			k.t.Fatal(err)
		}
		tokens[public] = "Bearer " + value
	}
	return tokens[false], tokens[true]
}
