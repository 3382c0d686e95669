package app_test

import (
	"net"
	"regexp"
	"strings"
	"testing"
)

var adminAddress = regexp.MustCompile(`admin +(http://\S+)`)

// adminBase returns the URL of the admin listener of a service that was started with --admin-listen.
func adminBase(t testing.TB, p *program) string {
	t.Helper()
	m := adminAddress.FindStringSubmatch(p.stdout.String())
	if m == nil {
		t.Fatalf("got no line about the admin listener: %s", p.stdout)
	}
	return m[1]
}

// The admin listener has its own paths, which the public one does not serve.
func TestAdminListener(t *testing.T) {
	p := startService(t, append(demo(t), "--admin-listen", "127.0.0.1:0")...)
	base := adminBase(t, p)
	for path, want := range map[string]string{
		"/":                              "/metrics",
		"/metrics":                       "go_goroutines",
		"/livez":                         "ok",
		"/readyz":                        "ok",
		"/debug/pprof/goroutine?debug=1": "goroutine profile",
	} {
		if r, body := get(t, base+path); r.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d %.200s, want %q", path, r.StatusCode, body, want)
		}
		if path == "/" || strings.HasSuffix(path, "z") {
			continue
		}
		if r, body := get(t, p.base+path); r.StatusCode != 404 {
			t.Errorf("the public listener, %s: got %d %.200s, want 404", path, r.StatusCode, body)
		}
	}
	endsAfterChunks(t, base, "/", "/metrics", "/livez", "/readyz", "/cache/purge", "/debug/pprof/", "/nowhere")
	if code := p.stop(); code != 0 {
		t.Errorf("ended with %d: %s", code, p.stderr)
	}
}

func TestAdminListenerTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	message := startError(t, "--data-dir", t.TempDir(), "--admin-listen", taken.Addr().String())
	if !strings.Contains(message, "--admin-listen") {
		t.Errorf("got %q, want an error about --admin-listen", message)
	}
	p := sharedService(t)
	if strings.Contains(p.stdout.String(), "admin") {
		t.Errorf("got an admin listener without the flag: %s", p.stdout)
	}
}
