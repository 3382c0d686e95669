package api

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
)

// The admin listener has its own paths, which the public one does not serve.
func TestAdminListener(t *testing.T) {
	p, _ := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0")
	base := apptest.AdminBase(t, p)
	for path, want := range map[string]string{
		"/":                              "/metrics",
		"/metrics":                       "go_goroutines",
		"/livez":                         "ok",
		"/readyz":                        "ok",
		"/debug/pprof/goroutine?debug=1": "goroutine profile",
	} {
		if r := apptest.Get(t, base+path); r.Status != 200 || !r.Has(want) {
			t.Errorf("%s: got %d %.200s, want %q", path, r.Status, string(r.Body), want)
		}
		if path == "/" || strings.HasSuffix(path, "z") {
			continue
		}
		apptest.Get(t, p.Base+path).Expect(t, "the public listener, "+path, 404)
	}
	endsAfterChunks(t, base, "/", "/metrics", "/livez", "/readyz", "/cache/purge", "/debug/pprof/", "/nowhere")
	if code := p.Stop(); code != 0 {
		t.Errorf("ended with %d: %s", code, p.Stderr)
	}
}

// A service with an address or directory that it cannot use does not start.
func TestUnusableSettings(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	message := startError(t, "--data-dir", t.TempDir(), "--admin-listen", taken.Addr().String())
	if !strings.Contains(message, "--admin-listen") {
		t.Errorf("got %q, want an error about --admin-listen", message)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if message := startError(t, "--data-dir", t.TempDir(), "--dumps-dir", file); !strings.Contains(message, "--dumps-dir") {
		t.Errorf("got %q, want an error about --dumps-dir", message)
	}
	p := apptest.Shared(t)
	if strings.Contains(p.Stdout.String(), "admin") {
		t.Errorf("got an admin listener without the flag: %s", p.Stdout)
	}
}

// startError returns why a service with these flags does not start.
func startError(t testing.TB, args ...string) string {
	t.Helper()
	a, err := app.New(t.Context(), apptest.Settings(t, append(args, "--listen", "127.0.0.1:0")...), io.Discard, io.Discard)
	if err == nil {
		_ = a.Close()
		t.Fatal("the service starts")
	}
	return err.Error()
}
