package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo"
	"gamedata/mongo/mongotest"
)

// expectDoctor runs the doctor, which must end with an exit status and print texts, and returns its lines with single
// spaces.
func expectDoctor(t *testing.T, code int, texts []string, args ...string) string {
	t.Helper()
	got, out, errs := run(append([]string{"doctor", "--listen", "127.0.0.1:0"}, args...)...)
	out = regexp.MustCompile(` +`).ReplaceAllString(out+errs, " ")
	for _, text := range texts {
		if got != code || !strings.Contains(out, text) {
			t.Errorf("%v: got exit status %d, want %d and %q in\n%s", args, got, code, text, out)
		}
	}
	return out
}

func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	pepper := filepath.Join(dir, "pepper")
	writeFile(t, pepper, strings.Repeat("salt", 10))
	out := expectDoctor(t, 0, []string{"first start creates it in"},
		"--data-dir", filepath.Join(dir, "data"), "--pepper-file", pepper)
	if strings.Contains(out, "warn pepper") {
		t.Errorf("without a store:\n%s", out)
	}
	// Beside a running service, on its addresses and its store.
	p := apptest.Shared(t)
	expectDoctor(t, 0, []string{"of the running service", "ok indexes complete", "ok clock", "already runs on"},
		"--data-dir", apptest.SharedDir(t), "--pepper-file", pepper, "--listen", strings.TrimPrefix(p.Base, "http://"))
}

// A store with a part of an import, or of a demo world, is reported. The service does not start on a part of an import:
// what it stored would be deleted when the import is repeated.
func TestDoctorOfUnfinishedStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := app.OpenStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(db.SetMark(t.Context(), "refillBegun", "check"),
		db.SetMark(t.Context(), "seedBegun", demo.Mark{Seed: "1", At: "2026-03-20T00:00:00Z"}), db.Close())
	if err != nil {
		t.Fatal(err)
	}
	expectDoctor(t, 1, []string{"FAIL import an import into this store was interrupted", "warn demo world"},
		"--data-dir", dir)
	expect(t, 1, "an import into this store was interrupted", "serve", "--listen", "127.0.0.1:0", "--data-dir", dir)
}

// A MongoDB that no service has used yet has no problem.
func TestDoctorOfUnusedDatabase(t *testing.T) {
	server, err := mongotest.StartServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	proxy := mongotest.NewProxy(server)
	uri := "mongodb://" + proxy.Listen(t, server.Address(t)) + "/?directConnection=true&retryWrites=false"
	name := server.Options().Database
	store := []string{"--mongo-uri", uri, "--mongo-database", name}
	expectDoctor(t, 0, []string{"ok store MongoDB, database " + name + ", empty; the first start prepares it"}, store...)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	expectDoctor(t, 1, []string{"FAIL temporary files"}, store...)
	expect(t, 1, "set TMPDIR to one with space", append([]string{"serve", "--listen", "127.0.0.1:0"}, store...)...)
}

// The doctor reports each problem with its remedy.
func TestDoctorReportsProblems(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// The port belongs to another program, which closes connections.
	go func() {
		for {
			c, err := taken.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
		}
	}()
	defer taken.Close()
	dir := t.TempDir()
	damaged := filepath.Join(dir, "damaged")
	if err := os.MkdirAll(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(damaged, "gamedata.db"), strings.Repeat("no store", 4096))
	open := filepath.Join(dir, "open")
	writeFile(t, open, "short")
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "fresh")
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"the store is down": {
			[]string{"--mongo-uri", "mongodb://127.0.0.1:1/?connectTimeoutMS=500"},
			1,
			[]string{"FAIL store", "check that MongoDB runs"},
		},
		"the store is damaged": {
			[]string{"--data-dir", damaged}, 1, []string{"FAIL store", "gamedata restore FILE --replace"},
		},
		"the port is taken": {
			[]string{"--listen", taken.Addr().String()}, 1, []string{"FAIL listen", "choose another with --listen"},
		},
		"every address is a proxy": {
			[]string{"--trusted-proxies", "0.0.0.0/0"},
			1,
			[]string{"FAIL trusted-proxies 0.0.0.0/0", "networks of the proxies"},
		},
		"secrets are bad": {
			[]string{"--pepper-file", open, "--bootstrap-token", "gdt_mistyped"},
			1,
			[]string{"warn pepper has only 5 characters", "chmod 600", "FAIL bootstrap token", "gamedata token make"},
		},
		"a secret is missing": {[]string{"--pepper-file", filepath.Join(dir, "none")}, 1, []string{"FAIL pepper"}},
		"Redis is down": {
			[]string{"--redis-url", "redis://127.0.0.1:1/0"}, 0, []string{"warn redis", "check that Redis runs"},
		},
		"a setting is wrong": {[]string{"--concurrency", "1"}, 1, []string{"FAIL settings --concurrency", "config explain"}},
		"a public admin listener": {
			[]string{"--admin-listen", "0.0.0.0:0"}, 0, []string{"warn admin-listen requires no credentials"},
		},
		"no proxy for an origin": {
			[]string{"--public-url", "http://data.example"},
			0,
			[]string{"warn trusted-proxies none", "warn public-url is plain HTTP"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			expectDoctor(t, c.code, c.says, append([]string{"--data-dir", fresh}, c.args...)...) // the last flag counts
		})
	}
}

func TestDoctorChecksTraceSettings(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "127.0.0.1:4318",
		"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_RESOURCE_ATTRIBUTES": "odd",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
			t.Setenv(name, value)
			expectDoctor(t, 1, []string{"FAIL traces " + name}, "--data-dir", t.TempDir())
		})
	}
}
