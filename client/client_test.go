package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/client"
)

// script responds to one request after the other and records them.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	got   []*http.Request
	waits []time.Duration
}

func serve(t testing.TB, steps ...http.HandlerFunc) *script {
	s := &script{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.got = append(s.got, r)
		n := len(s.got)
		s.mu.Unlock()
		if n > len(steps) {
			t.Errorf("got request %d, want %d: %s", n, len(steps), r.RequestURI)
			return
		}
		steps[n-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// requests are the requests so far.
func (s *script) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// client does not wait before retries.
func (s *script) client(t testing.TB, o client.Options) *client.Client {
	t.Helper()
	o.Wait = func(ctx context.Context, d time.Duration) error { s.waits = append(s.waits, d); return ctx.Err() }
	c, err := client.New(s.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func respond(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func drop(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }

const tooMany = `{"error": "TooManyRequests", "detail": "Too many requests, try again in 7 seconds.", "code": 429}`

func TestRetries(t *testing.T) {
	ok := respond(200, `{"username": "Salted"}`)
	get := client.Request{Method: http.MethodGet, Target: "/v3/player/Salted", Repeatable: true}
	for name, c := range map[string]struct {
		options client.Options
		steps   []http.HandlerFunc
		waits   []time.Duration
		status  int
	}{
		"success": {client.Options{}, []http.HandlerFunc{ok}, nil, 200},
		"after a rate limit error": {
			client.Options{},
			[]http.HandlerFunc{respond(429, tooMany, "Retry-After", "7"), ok},
			[]time.Duration{7 * time.Second},
			200,
		},
		"while unavailable": {client.Options{}, []http.HandlerFunc{
			respond(503, "", "Retry-After", "1"), respond(502, ""),
			ok,
		}, []time.Duration{time.Second, 400 * time.Millisecond}, 200},
		"after a network error": {
			client.Options{}, []http.HandlerFunc{drop, ok}, []time.Duration{200 * time.Millisecond}, 200,
		},
		"not beyond MaxWait": {client.Options{MaxWait: 6 * time.Second}, []http.HandlerFunc{respond(429, tooMany,
			"Retry-After", "7")}, nil, 429},
		"not more than Retries": {
			client.Options{Retries: 1},
			[]http.HandlerFunc{respond(503, ""), respond(503, "")},
			[]time.Duration{200 * time.Millisecond},
			503,
		},
		"not with negative Retries": {client.Options{Retries: -1}, []http.HandlerFunc{respond(503, "")}, nil, 503},
		"not after a client error": {client.Options{}, []http.HandlerFunc{respond(404,
			`{"error": "NotFound", "detail": "Resource not found.", "code": 404}`)}, nil, 404},
	} {
		s := serve(t, c.steps...)
		got, err := s.client(t, c.options).Send(t.Context(), get)
		if err != nil || got.Status != c.status {
			t.Errorf("%s: got error %v and response %+v, want status %d", name, err, got, c.status)
		}
		if !slices.Equal(s.waits, c.waits) || len(s.requests()) != len(c.steps) {
			t.Errorf("%s: got %d requests and waits %v, want %d and %v", name, len(s.requests()), s.waits, len(c.steps), c.waits)
		}
	}
}

// A network error contains the requested URL without its password.
func TestErrorsContainURL(t *testing.T) {
	s := serve(t, drop, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusFound)
	})
	at := strings.TrimPrefix(s.URL, "http://")
	c, err := client.New("http://bot:secret@"+at+"/game", client.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Send(t.Context(), client.Request{Method: http.MethodGet, Target: "/v3/player/a%2Fb?fullResult="})
	if err == nil || !strings.Contains(err.Error(), " \"http://"+at+"/game/v3/player/a%2Fb?fullResult=") ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if name, word, _ := s.requests()[0].BasicAuth(); name != "bot" || word != "secret" {
		t.Errorf("got user %q, want bot", name)
	}
	_, err = c.Send(t.Context(), client.Request{Method: http.MethodGet, Target: "/v3/x"})
	if err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:1/elsewhere") {
		t.Errorf("%v", err)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { cancel(); w.WriteHeader(503) })
	get := client.Request{Method: http.MethodGet, Target: "/v3/x", Repeatable: true}
	if _, err := s.client(t, client.Options{}).Send(ctx, get); len(s.requests()) != 1 || len(s.waits) > 0 {
		t.Errorf("got error %v, %d requests and waits %v after the caller left", err, len(s.requests()), s.waits)
	}
	late, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	s = serve(t, respond(429, tooMany, "Retry-After", "7200"))
	got, err := s.client(t, client.Options{MaxWait: 24 * time.Hour}).Send(late, get)
	if err != nil || got.Status != 429 || len(s.waits) > 0 {
		t.Errorf("got %+v, %v and waits %v beyond the deadline", got, err, s.waits)
	}
	for _, address := range []string{"", "data.example", "ftp://data.example", "http://x?y"} {
		if _, err := client.New(address, client.Options{}); err == nil {
			t.Errorf("address %q: got no error", address)
		}
	}
}
