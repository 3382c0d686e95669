package main

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/mongo/mongotest"
)

// runDoctor runs the doctor and returns its lines with single spaces.
func runDoctor(t *testing.T, args ...string) (code int, text string) {
	t.Helper()
	code, out, errs := run(append([]string{"doctor", "--listen", "127.0.0.1:0"}, args...)...)
	return code, regexp.MustCompile(` +`).ReplaceAllString(out+errs, " ")
}

func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	pepper := filepath.Join(dir, "pepper")
	if err := os.WriteFile(pepper, []byte(strings.Repeat("salt", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out := runDoctor(t, "--data-dir", filepath.Join(dir, "data"), "--pepper-file", pepper)
	if code != 0 || strings.Contains(out, "warn pepper") || !strings.Contains(out, "first start creates it in") {
		t.Errorf("without a store: got exit status %d\n%s", code, out)
	}
	// Beside a running service, on its addresses and its store.
	p := apptest.Shared(t)
	code, out = runDoctor(t, "--data-dir", apptest.SharedDir(t), "--pepper-file", pepper, "--listen",
		strings.TrimPrefix(p.Base, "http://"))
	for _, want := range []string{"of the running service", "ok indexes complete", "ok clock", "already runs on"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("beside a service: got exit status %d and no %q in\n%s", code, want, out)
		}
	}
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
	code, out := runDoctor(t, "--mongo-uri", uri, "--mongo-database", name)
	if code != 0 || !strings.Contains(out, "ok store MongoDB, database "+name+", empty; the first start prepares it") {
		t.Errorf("got exit status %d\n%s", code, out)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	code, out = runDoctor(t, "--mongo-uri", uri, "--mongo-database", name)
	if code != 1 || !strings.Contains(out, "FAIL temporary files") {
		t.Errorf("no directory for temporary files: got exit status %d\n%s", code, out)
	}
	code, _, out = run("serve", "--mongo-uri", uri, "--mongo-database", name, "--listen", "127.0.0.1:0")
	if code != 1 || !strings.Contains(out, "set TMPDIR to one with space") {
		t.Errorf("serve without one: got exit status %d\n%s", code, out)
	}
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
	if err := os.WriteFile(filepath.Join(damaged, "gamedata.db"), []byte(strings.Repeat("no store", 4096)),
		0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.WriteFile(open, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "fresh")
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"the store is down": {[]string{
			"--mongo-uri", "mongodb://127.0.0.1:1/?connectTimeoutMS=500",
		}, 1, []string{"FAIL store", "check that MongoDB runs"}},
		"the store is damaged": {
			[]string{"--data-dir", damaged},
			1,
			[]string{"FAIL store", "gamedata restore FILE --replace"},
		},
		"the port is taken": {
			[]string{"--data-dir", fresh, "--listen", taken.Addr().String()},
			1,
			[]string{"FAIL listen", "choose another with --listen"},
		},
		"every address is a proxy": {
			[]string{"--data-dir", fresh, "--trusted-proxies", "0.0.0.0/0"},
			1,
			[]string{"FAIL trusted-proxies 0.0.0.0/0", "networks of the proxies"},
		},
		"secrets are bad": {
			[]string{"--data-dir", fresh, "--pepper-file", open, "--bootstrap-token", "gdt_mistyped"},
			1,
			[]string{"warn pepper has only 5 characters", "chmod 600", "FAIL bootstrap token", "gamedata token make"},
		},
		"a secret is missing": {
			[]string{"--data-dir", fresh, "--pepper-file", filepath.Join(dir, "none")},
			1,
			[]string{"FAIL pepper"},
		},
		"Redis is down": {
			[]string{"--data-dir", fresh, "--redis-url", "redis://127.0.0.1:1/0"},
			0,
			[]string{"warn redis", "check that Redis runs"},
		},
		"a setting is wrong": {[]string{"--concurrency", "1"}, 1, []string{"FAIL settings --concurrency", "config explain"}},
		"a public admin listener": {
			[]string{"--data-dir", fresh, "--admin-listen", "0.0.0.0:0"},
			0,
			[]string{"warn admin-listen requires no credentials"},
		},
		"no proxy for an origin": {
			[]string{"--data-dir", fresh, "--public-url", "http://data.example"},
			0,
			[]string{"warn trusted-proxies none", "warn public-url is plain HTTP"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			code, out := runDoctor(t, c.args...)
			for _, want := range c.says {
				if code != c.code || !strings.Contains(out, want) {
					t.Errorf("%s: got exit status %d, want %d and %q in\n%s", name, code, c.code, want, out)
				}
			}
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
			if code, out := runDoctor(t, "--data-dir", t.TempDir()); code != 1 || !strings.Contains(out, "FAIL traces "+name) {
				t.Errorf("got exit status %d and\n%s", code, out)
			}
		})
	}
}
