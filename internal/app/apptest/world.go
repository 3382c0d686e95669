package apptest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/mongo/mongotest"
)

// Now returns the time of the demo world.
func Now() time.Time { return time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC) }

// DemoFlags select the world that the goldens were made with.
var DemoFlags = []string{
	"--demo", "--demo-speed=0", "--players", "60", "--seed", "1", "--seed-time", "2026-03-20T00:00:00Z",
	"--guest-rate", "1000000",
}

// StartDemo starts a service on its own copy of the world of DemoFlags, and returns the directory of the copy.
func StartDemo(t testing.TB, args ...string) (p *Program, dir string) {
	t.Helper()
	dir = DemoDir(t)
	return Start(t, slices.Concat(DemoFlags, []string{"--data-dir", dir}, args)...), dir
}

// StartSecond starts a second instance, which connects to the first one's store through its socket, like to a MongoDB.
func StartSecond(t *testing.T, dir string, flags ...string) *Program {
	t.Helper()
	return Start(t, append(flags, "--mongo-uri", "mongodb://"+url.PathEscape(filepath.Join(dir, "gamedata.sock"))+
		"/?directConnection=true&retryWrites=false")...)
}

// Shared returns the service on the world of DemoFlags that all read-only tests of a package share.
func Shared(t testing.TB) *Program {
	t.Helper()
	shared.Do(func() {
		server, err := mongotest.StartServer(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		store := []string{"--data-dir", SharedDir(t)}
		if !server.Embedded() {
			store = []string{"--mongo-uri", server.URI(), "--mongo-database", server.Options().Database}
		}
		p := launch(t, slices.Concat(DemoFlags, store)...)
		shared.program, shared.stop = p, func() error {
			var failed error
			if code := p.Stop(); code != 0 {
				failed = fmt.Errorf("the shared service ended with %d: %s", code, p.Stderr)
			}
			return errors.Join(failed, server.Close())
		}
	})
	if shared.program == nil {
		t.Fatal("the shared service did not start")
	}
	return shared.program
}

var shared struct {
	sync.Once
	program *Program
	stop    func() error
}

// SharedDir returns the directory of the embedded store of Shared.
func SharedDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(seededDir(t), "shared")
}

// past is how many days of play precede the world of the tests.
var past int

// MainWithPast is Main for a package whose tests need a world with a past up to the present.
func MainWithPast(m *testing.M) int {
	past = 30
	return Main(m)
}

// Main runs the tests of a package on stores without durability, then ends the services they share. It returns the exit
// status.
func Main(m *testing.M) (code int) {
	app.NoSync = true
	code = m.Run()
	if shared.stop != nil {
		if err := shared.stop(); err != nil {
			fmt.Println(err)
			code = max(code, 1)
		}
	}
	if seeded.dir != "" {
		_ = os.RemoveAll(seeded.dir)
	}
	return code
}

var seeded struct {
	sync.Once
	dir string
}

// seededDir returns a directory with seeded stores: "ranked" as created by `--demo` and "unranked" without leaderboards
// are for copying, "shared" belongs to Shared.
func seededDir(t testing.TB) string {
	t.Helper()
	seeded.Do(func() {
		dir, err := os.MkdirTemp("", "gamedata-tests")
		if err != nil {
			t.Fatal(err)
		}
		o := seed.Options{Players: 60, Seed: 1, Now: Now(), Days: past}
		if past > 0 {
			o.Now = time.Now()
		}
		for name, fill := range map[string]func(context.Context, *app.Store) error{
			"ranked": func(ctx context.Context, s *app.Store) error {
				return app.CreateDemo(ctx, s.Store, o, "", func(string, int, int) {})
			},
			"unranked": func(ctx context.Context, s *app.Store) error { return demo.Create(ctx, s.Store, o) },
		} {
			s, err := app.OpenStore(context.Background(), StoreIn(filepath.Join(dir, name)))
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
		seeded.dir = dir
	})
	return seeded.dir
}

// DemoDir returns a copy of the demo world with leaderboards.
func DemoDir(t testing.TB) string {
	t.Helper()
	return copySeeded(t, "ranked")
}

// UnrankedDir returns a copy of the demo world without leaderboards.
func UnrankedDir(t testing.TB) string {
	t.Helper()
	return copySeeded(t, "unranked")
}

func copySeeded(t testing.TB, name string) (dir string) {
	t.Helper()
	dir = Dir(t)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(seededDir(t), name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Dir returns an empty directory whose path is short enough for a socket.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// StoreIn returns the settings of a command that works on the embedded store in dir.
func StoreIn(dir string) *config.Store {
	var c config.Store
	c.AddCommand(pflag.NewFlagSet("", pflag.ContinueOnError))
	c.DataDir = dir
	return &c
}

// CastUUID returns the UUID of a player of the demo world's cast. It panics for an unknown name.
func CastUUID(name string) string { return seed.Cast[castIndex(name)].UUID }

// CastCharacter returns the path of the page of the first character of a player of the cast.
func CastCharacter(name string) string {
	return "/players/" + CastUUID(name) + "/characters/" + seed.CharacterUUID(castIndex(name), 1)
}

func castIndex(name string) int {
	at := slices.IndexFunc(seed.Cast, func(m seed.Member) bool { return m.Username == name })
	if at < 0 {
		panic(name + " is not in the cast")
	}
	return at
}

// CaptureTargets returns the name of a territory and two guilds that do not hold it.
func CaptureTargets(t testing.TB, p *Program) (territory string, guilds []string) {
	t.Helper()
	data := Query[struct {
		Territories struct {
			Nodes []struct {
				Name  string
				Guild *struct{ UUID string }
			}
		}
		Guilds struct{ Nodes []struct{ UUID string } }
	}](t, p.Base, `{territories(first: 1) {nodes {name guild {uuid}}} guilds(first: 3) {nodes {uuid}}}`)
	held := data.Territories.Nodes[0]
	for _, g := range data.Guilds.Nodes {
		if held.Guild == nil || held.Guild.UUID != g.UUID {
			guilds = append(guilds, g.UUID)
		}
	}
	return held.Name, guilds[:2]
}
