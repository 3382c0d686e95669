package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
	"gamedata/internal/demo/seed"
	"gamedata/mongo/mongotest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if stopShared != nil {
		if stopShared() != 0 && code == 0 {
			fmt.Println("the shared service failed")
			code = 1
		}
	}
	writeTable(os.Stdout)
	if seeded != "" {
		_ = os.RemoveAll(seeded)
	}
	os.Exit(code)
}

// output is a writer that a test may read while the service writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newOutput() *output { return &output{more: make(chan struct{}, 1)} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// program is a running service.
type program struct {
	base           string
	stdout, stderr *output
	stop           func() int
}

// defaults give every service of the tests time: they may run on a slow machine beside much other work, and a store
// that is only slow is no failure. Tests of timeouts override them.
var defaults = []string{
	"--listen", "127.0.0.1:0", "--log-level", "warn", "--leaderboard-refresh", "0", "--store-timeout", "1m",
	"--store-selection-timeout", "1m", "--store-start-timeout", "1m", "--request-timeout", "2m", "--queue-wait", "1m",
	"--drain-delay", "0s",
}

// settings reads flags of `gamedata serve`.
func settings(t testing.TB, args ...string) *config.Service {
	t.Helper()
	c := new(config.Service)
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return c
}

var address = regexp.MustCompile(`GraphQL +(http://[^/]+)/graphql`)

// startService runs the service with flags of `gamedata serve` until the test ends, on a free port of loopback.
func startService(t testing.TB, args ...string) *program {
	t.Helper()
	p := launchService(t, args...)
	t.Cleanup(func() { p.stop() })
	return p
}

func launchService(t testing.TB, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &program{stdout: newOutput(), stderr: newOutput()}
	a, err := app.New(ctx, settings(t, append(defaults[:len(defaults):len(defaults)], args...)...), p.stdout, p.stderr)
	if err != nil {
		cancel()
		t.Fatalf("starting the service: %v", err)
	}
	ended := make(chan int, 1)
	go func() {
		if err := errors.Join(a.Run(ctx), a.Close()); err != nil {
			fmt.Fprintln(p.stderr, err)
			ended <- 1
			return
		}
		ended <- 0
	}()
	p.stop = sync.OnceValue(func() int { cancel(); return <-ended })
	for {
		if m := address.FindStringSubmatch(p.stdout.String()); m != nil {
			p.base = m[1]
			return p
		}
		select {
		case <-p.stdout.more:
		case code := <-ended:
			ended <- code
			t.Fatalf("the service ended with %d: %s", code, p.stderr)
		case <-time.After(2 * time.Minute):
			t.Fatalf("the service did not start: %s", p.stdout)
		}
	}
}

// startError returns why a service with these flags does not start.
func startError(t *testing.T, args ...string) string {
	t.Helper()
	a, err := app.New(t.Context(), settings(t, append(defaults[:len(defaults):len(defaults)], args...)...), io.Discard,
		io.Discard)
	if err == nil {
		_ = a.Close()
		t.Fatal("the service starts")
	}
	return err.Error()
}

// demoFlags select the world that the goldens were made with.
var demoFlags = []string{
	"--demo", "--demo-still", "--players", "60", "--seed", "1", "--seed-time", "2026-03-20T00:00:00Z",
}

// demo returns flags for a service with its own copy of the world that the goldens were made with.
func demo(t testing.TB) []string {
	return append(demoFlags[:len(demoFlags):len(demoFlags)], "--data-dir", demoDir(t), "--guest-rate", "1000000")
}

var (
	sharedOnce sync.Once
	sharedDemo *program
	sharedDB   *config.Store // of sharedDemo
	stopShared func() int
)

// sharedService returns the service with the demo world that all read-only tests share.
func sharedService(t testing.TB) *program {
	t.Helper()
	sharedOnce.Do(func() {
		flags := slices.Concat(demoFlags, []string{"--guest-rate", "1000000"})
		server, err := mongotest.StartServer(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		sharedDB = storeIn("")
		if server.Embedded() {
			sharedDB.DataDir = filepath.Join(seededDir(t), "shared")
			flags = append(flags, "--data-dir", sharedDB.DataDir)
		} else {
			sharedDB.MongoURI, sharedDB.Database = server.URI(), server.Options().Database
			flags = append(flags, "--mongo-uri", sharedDB.MongoURI, "--mongo-database", sharedDB.Database)
		}
		sharedDemo = launchService(t, flags...)
		stopShared = func() int {
			code := sharedDemo.stop()
			if err := server.Close(); err != nil {
				fmt.Println(err)
				code = 1
			}
			return code
		}
	})
	if sharedDemo == nil {
		t.Fatal("the shared service did not start")
	}
	return sharedDemo
}

var (
	seedOnce sync.Once
	seeded   string
)

// seededDir returns a directory with seeded stores: "ranked" as `--demo` leaves it and "unranked" without leaderboards,
// which are copied, and "shared", the one of sharedService.
func seededDir(t testing.TB) string {
	t.Helper()
	seedOnce.Do(func() {
		dir, err := os.MkdirTemp("", "gamedata-tests")
		if err != nil {
			t.Fatal(err)
		}
		o := seed.Options{Players: 60, Seed: 1, Now: demoNow()}
		for name, fill := range map[string]func(context.Context, *app.Store) error{
			"ranked": func(ctx context.Context, s *app.Store) error {
				return app.CreateDemo(ctx, s.Store, o, func(string, int, int) {})
			},
			"unranked": func(ctx context.Context, s *app.Store) error { return seed.Run(ctx, s.Store, o) },
		} {
			s, err := app.OpenStore(context.Background(), storeIn(filepath.Join(dir, name)))
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(fill(context.Background(), s), s.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.CopyFS(filepath.Join(dir, "shared"), os.DirFS(filepath.Join(dir, "ranked"))); err != nil {
			t.Fatal(err)
		}
		seeded = dir
	})
	return seeded
}

// demoDir returns a copy of the ranked demo world. Its path is short enough for a socket.
func demoDir(t testing.TB) string {
	t.Helper()
	dir := dataDir(t)
	copySeeded(t, "ranked", dir)
	return dir
}

// unrankedDir returns a copy of the demo world without leaderboards.
func unrankedDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	copySeeded(t, "unranked", dir)
	return dir
}

func copySeeded(t testing.TB, name, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(filepath.Join(seededDir(t), name))); err != nil {
		t.Fatal(err)
	}
}

// dataDir returns a directory whose path is short enough for a socket.
func dataDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// storeIn returns the settings of a command that works on the embedded store in dir.
func storeIn(dir string) *config.Store {
	var c config.Store
	c.AddCommand(pflag.NewFlagSet("", pflag.ContinueOnError))
	c.DataDir = dir
	return &c
}

// inStore calls do with the accounts of a store, beside the service that has it open.
func inStore(t testing.TB, dir string, do func(context.Context, *auth.Accounts) error) {
	t.Helper()
	db, err := app.JoinStore(t.Context(), storeIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(t.Context(), auth.New(db.Store, auth.Options{})), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func createAccount(t testing.TB, dir, name string) {
	t.Helper()
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) error {
		_, err := a.Create(ctx, name)
		return err
	})
}

// linkCode returns a code that links a player of the cast to an account.
func linkCode(t testing.TB, dir, player string) (code string) {
	t.Helper()
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) (err error) {
		code, err = a.Players.CreateLinkCode(ctx, castUUID(player))
		return err
	})
	return code
}

func linkPlayer(t testing.TB, dir, account, player string) {
	t.Helper()
	code := linkCode(t, dir, player)
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) error {
		to, err := a.ByName(ctx, account)
		if err != nil {
			return err
		}
		_, err = a.Players.Link(ctx, to.ID, code)
		return err
	})
}

// createToken returns the value of a new API token named laptop.
func createToken(t testing.TB, dir, account string) (value string) {
	t.Helper()
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) error {
		of, err := a.ByName(ctx, account)
		if err != nil {
			return err
		}
		value, _, err = a.Tokens.Create(ctx, of.ID, "laptop", "", false, nil)
		return err
	})
	return value
}

// createMembers creates an account for each player of the cast, of the same name and linked to the player.
func createMembers(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		createAccount(t, dir, name)
		linkPlayer(t, dir, name, name)
	}
}

// application is what registerApplication registers; the zero value is public, without scopes and redirects.
type application struct {
	redirects, scopes []string
	private           bool
}

// registerApplication registers an application of an account and returns its client id and, if private, its secret.
func registerApplication(t testing.TB, dir, account string, a application) (id, secret string) {
	t.Helper()
	inStore(t, dir, func(ctx context.Context, users *auth.Accounts) error {
		of, err := users.ByName(ctx, account)
		if err != nil {
			return err
		}
		created, value, err := users.Applications.Create(ctx, of.ID, "Moss board", a.redirects, a.scopes, a.private)
		if err != nil {
			return err
		}
		id, secret = created.ClientID, value
		return nil
	})
	return id, secret
}

// issueCode issues a code as if the user of an account had agreed.
func issueCode(t testing.TB, dir, account string, g auth.Grant) (code string) {
	t.Helper()
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) error {
		of, err := a.ByName(ctx, account)
		if err != nil {
			return err
		}
		g.Account = of.ID
		code, err = a.Grants.IssueCode(ctx, g)
		return err
	})
	return code
}

// castUUID returns the UUID of a player of the demo world's cast. It panics for an unknown name.
func castUUID(name string) string {
	for _, m := range seed.Cast {
		if m.Username == name {
			return m.UUID
		}
	}
	panic(name + " is not in the cast")
}

func get(t testing.TB, url string) (*http.Response, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(body)
}

// getWithToken gets a path with an API token or access token, none when empty.
func getWithToken(t *testing.T, p *program, token, path string) (*http.Response, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return res, body
}

// requestOK returns the body of a response with status 200.
func requestOK(t *testing.T, base, method, path, body string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res := send(t, r, []byte(body))
	if res.status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, res.status, res.body)
	}
	return res.body
}

// expectSameJSON fails unless two JSON values are equal, whatever the order of members.
func expectSameJSON(t *testing.T, name string, want, got []byte) {
	t.Helper()
	var w, g any
	for text, to := range map[*[]byte]*any{&want: &w, &got: &g} {
		dec := json.NewDecoder(bytes.NewReader(*text))
		dec.UseNumber()
		if err := dec.Decode(to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if reflect.DeepEqual(w, g) { // cmp needs seconds for large bodies
		return
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, d[:min(len(d), 2000)])
	}
}
