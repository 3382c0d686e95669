// Package httpapitest serves handlers of an API on a real socket, for tests.
package httpapitest

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Server serves an API on a real socket with its own clock.
type Server struct {
	API *httpapi.API
	URL string
	Log *Buffer

	t   *testing.T
	mu  sync.Mutex
	now time.Time
}

// Serve serves a handler behind the middleware of an API; configure may change the options.
func Serve(t *testing.T, configure func(*httpapi.Options), handler func(*httpapi.API) http.Handler) *Server {
	s := &Server{t: t, Log: &Buffer{}, now: time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)}
	o := httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{Counters: ratelimit.New(ratelimit.Options{Now: s.Now})},
		Log:       slog.New(slog.NewJSONHandler(s.Log, nil)),
		Now:       s.Now,
	}
	if configure != nil {
		configure(&o)
	}
	s.API = httpapi.New(o)
	server := httptest.NewUnstartedServer(nil)
	server.Config = httpapi.NewServer(s.API.Middleware(handler(s.API)), slog.New(slog.DiscardHandler))
	server.Start()
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Now is the time of the server's clock.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Advance moves the clock.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// Client accepts gzip, like most clients, unless a request names encodings.
var Client = &http.Client{Transport: &http.Transport{}}

// Response is a response with its whole body.
type Response struct {
	*http.Response
	Text string
}

// Do sends a request; headers are name, value, name, value… The body is JSON unless the headers say otherwise.
func (s *Server) Do(method, path, body string, headers ...string) Response {
	s.t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	if method == http.MethodPost && len(r.Header["Content-Type"]) == 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := Client.Do(r) //nolint:bodyclose // Read closes it
	if err != nil {
		s.t.Fatal(err)
	}
	return Read(s.t, res)
}

// Read reads a response to its end.
func Read(t *testing.T, res *http.Response) Response {
	t.Helper()
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Response{res, string(text)}
}

// Decompress decodes a body in a content encoding; without one the body is returned.
func Decompress(t testing.TB, encoding, text string) string {
	t.Helper()
	var from io.Reader = strings.NewReader(text)
	var err error
	switch encoding {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(decoded)
}

// Has checks the status and the headers, name, value, name…; an empty value means that the header must be missing.
func (g Response) Has(t *testing.T, status int, headers ...string) {
	t.Helper()
	if g.StatusCode != status {
		t.Errorf("status %d, want %d; body %s", g.StatusCode, status, g.Text)
	}
	for i := 0; i < len(headers); i += 2 {
		if v := g.Header.Get(headers[i]); v != headers[i+1] {
			t.Errorf("%s: %q, want %q", headers[i], v, headers[i+1])
		}
	}
}

// HasCommonHeaders checks the headers of every response.
func (g Response) HasCommonHeaders(t *testing.T) {
	t.Helper()
	for name, want := range map[string]string{
		"Version": "v3.7.0", "X-Content-Type-Options": "nosniff",
		"Vary": "Authorization, Cookie, Origin, Accept-Encoding",
	} {
		v := g.Header.Values(name)
		if name == "Vary" && len(v) == 2 && v[1] == "Accept" { // endpoints with tables
			v = v[:1]
		}
		if len(v) != 1 || v[0] != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
	for _, name := range []string{
		"Date", "Expires", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
		"RateLimit-Bucket",
	} {
		if len(g.Header.Values(name)) != 1 {
			t.Errorf("%s: %q, want one", name, g.Header.Values(name))
		}
	}
	if !strings.HasPrefix(g.Header.Get("Cache-Control"), "max-age=") {
		t.Errorf("Cache-Control: %q", g.Header.Get("Cache-Control"))
	}
	if g.Text != "" && g.Header.Get("Content-Type") != "application/json" {
		t.Errorf("Content-Type: %q", g.Header.Get("Content-Type"))
	}
}

// Buffer is a buffer that is safe for concurrent use.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (s *Buffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String returns what was written so far.
func (s *Buffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
