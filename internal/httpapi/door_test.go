package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// house is a door on a real socket with a clock of its own.
type house struct {
	t    *testing.T
	door *httpapi.Door
	url  string
	log  *syncBuffer
	mu   sync.Mutex
	now  time.Time
}

// open serves handler behind a door; configure may change the options.
func open(t *testing.T, configure func(*httpapi.Options), handler func(*httpapi.Door) http.Handler) *house {
	h := &house{t: t, log: &syncBuffer{}, now: time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)}
	o := httpapi.Options{
		Limiter: ratelimit.New(ratelimit.Options{Now: h.clock}),
		Log:     slog.New(slog.NewJSONHandler(h.log, nil)),
		Now:     h.clock,
	}
	if configure != nil {
		configure(&o)
	}
	h.door = httpapi.New(o)
	server := httptest.NewUnstartedServer(nil)
	server.Config = httpapi.Server("", h.door.Middleware(handler(h.door)))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.Listener = h.door.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func (h *house) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *house) wait(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// plain asks without adding an Accept-Encoding, so bodies and headers are as sent.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

type got struct {
	*http.Response
	body string
}

// ask sends a request; headers are name, value, name, value…
func (h *house) ask(method, path, body string, headers ...string) got {
	h.t.Helper()
	r, err := http.NewRequest(method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	res, err := plain.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return received(h.t, res)
}

// received reads an answer to its end.
func received(t *testing.T, res *http.Response) got {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got{res, string(text)}
}

// has fails unless the answer has the status and the headers, name, value, name…; an
// empty value means that the header is not there.
func (g got) has(t *testing.T, status int, headers ...string) {
	t.Helper()
	if g.StatusCode != status {
		t.Errorf("status %d, want %d; body %s", g.StatusCode, status, g.body)
	}
	for i := 0; i < len(headers); i += 2 {
		if v := g.Header.Get(headers[i]); v != headers[i+1] {
			t.Errorf("%s: %q, want %q", headers[i], v, headers[i+1])
		}
	}
}

// always checks what WIRE §1.1 says of every answer.
func (g got) always(t *testing.T) {
	t.Helper()
	for name, want := range map[string]string{
		"Version": "v3.7.0", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		"Vary": "Authorization, Cookie, Origin, Accept-Encoding",
	} {
		v := g.Header.Values(name)
		if name == "Vary" && len(v) == 2 && v[1] == "Accept" { // what has tables says so in a line of its own
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
	if g.body != "" && g.Header.Get("Content-Type") != "application/json" {
		t.Errorf("Content-Type: %q", g.Header.Get("Content-Type"))
	}
}

// isError checks the body of WIRE §2.1.
func (g got) isError(t *testing.T, status int, name, detail string) {
	t.Helper()
	g.has(t, status, "Cache-Control", "max-age=0, private, no-store", "Expires", g.Header.Get("Date"), "ETag", "")
	var body struct {
		Error, Detail string
		Code          int
	}
	if err := json.Unmarshal([]byte(g.body), &body); err != nil {
		t.Fatalf("%v in %s", err, g.body)
	}
	if body.Error != name || body.Detail != detail || body.Code != status {
		t.Errorf("body %s, want %s %q", g.body, name, detail)
	}
}

func unzip(t *testing.T, s string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
