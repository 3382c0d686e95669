package telemetry

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func text(s string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) })
}

func allowHost(r *http.Request) bool { return !strings.Contains(r.Host, "evil") }

// send sends a request with any Host header over a socket.
func send(t *testing.T, base, method, path, host string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestAdminRoutes(t *testing.T) {
	s := httptest.NewServer(AdminHandler(AdminOptions{
		AllowedHost: allowHost, Metrics: text("metrics"), Live: text("live"), Ready: text("ready"),
		Purge: text("purged"),
	}))
	defer s.Close()
	for _, c := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/", 200, "/metrics"},
		{"GET", "/metrics", 200, "metrics"},
		{"GET", "/livez", 200, "live"},
		{"GET", "/readyz", 200, "ready"},
		{"POST", "/cache/purge", 200, "purged"},
		{"GET", "/cache/purge", 405, "Method"},
		{"POST", "/metrics", 405, "Method"},
		{"GET", "/debug/pprof/", 200, "goroutine"},
		{"GET", "/debug/pprof/goroutine?debug=1", 200, "telemetry.TestAdminRoutes"},
		{"GET", "/debug/pprof/profile?seconds=301", 400, "seconds"},
		{"GET", "/debug/pprof/trace?seconds=x", 400, "seconds"},
		{"GET", "/debug/pprof/heap?seconds=-1", 400, "seconds"},
		{"GET", "/debug/pprof/trace?seconds=0.01", 200, "go 1."},
		{"GET", "/v3/player", 404, "not found"},
	} {
		if status, body := send(t, s.URL, c.method, c.path, ""); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: got %d %.200s, want %d %q", c.method, c.path, status, body, c.status, c.want)
		}
	}
	bare := httptest.NewServer(AdminHandler(AdminOptions{AllowedHost: allowHost}))
	defer bare.Close()
	if status, _ := send(t, bare.URL, "POST", "/cache/purge", ""); status != 404 && status != 405 {
		t.Errorf("purge without a handler: got status %d, want 404 or 405", status)
	}
}

// Web pages cannot send requests to the listener, whatever address their host name resolves to.
func TestAdminRejectsPages(t *testing.T) {
	purged := 0
	s := httptest.NewServer(AdminHandler(AdminOptions{
		AllowedHost: allowHost,
		Purge:       http.HandlerFunc(func(http.ResponseWriter, *http.Request) { purged++ }),
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	for _, c := range []struct {
		name, host string
		headers    []string
		allowed    bool
	}{
		{"a program", "", nil, true},
		{"an allowed name", "ops.example", nil, true},
		{"a page of the listener", "", []string{"Origin", s.URL, "Sec-Fetch-Site", "same-origin"}, true},
		{"typed into the address bar", "", []string{"Sec-Fetch-Site", "none"}, true},
		{"a rebound name", "evil.example:9090", nil, false},
		{"a rebound name with its own origin", "evil.example", []string{
			"Origin", "http://evil.example", "Sec-Fetch-Site",
			"same-origin",
		}, false},
		{"a page of another site", "", []string{"Sec-Fetch-Site", "cross-site"}, false},
		{"a page of a sibling domain", "", []string{"Sec-Fetch-Site", "same-site"}, false},
		{"a form of another site", "", []string{"Origin", "https://evil.example"}, false},
		{"a page of another port", "", []string{"Origin", "http://127.0.0.1:1"}, false},
		{"a sandboxed page", "", []string{"Origin", "null"}, false},
		{"its own origin with another site", host, []string{"Origin", s.URL, "Sec-Fetch-Site", "cross-site"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := purged
			status, _ := send(t, s.URL, "POST", "/cache/purge", c.host, c.headers...)
			if allowed := purged > before; allowed != c.allowed || allowed != (status == 200) {
				t.Errorf("got allowed %v with status %d, want allowed %v", allowed, status, c.allowed)
			}
		})
	}
}
