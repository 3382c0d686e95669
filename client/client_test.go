package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
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
	for name, c := range map[string]struct {
		options client.Options
		steps   []http.HandlerFunc
		waits   []time.Duration
		status  int // of the error; 0 when there is none
	}{
		"success": {client.Options{}, []http.HandlerFunc{ok}, nil, 0},
		"after a rate limit error": {
			client.Options{},
			[]http.HandlerFunc{respond(429, tooMany, "Retry-After", "7"), ok},
			[]time.Duration{7 * time.Second},
			0,
		},
		"while unavailable": {client.Options{}, []http.HandlerFunc{
			respond(503, "", "Retry-After", "1"), respond(502, ""),
			ok,
		}, []time.Duration{time.Second, 400 * time.Millisecond}, 0},
		"after a network error": {client.Options{}, []http.HandlerFunc{drop, ok}, []time.Duration{200 * time.Millisecond}, 0},
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
		var player struct{ Username string }
		err := s.client(t, c.options).Get(t.Context(), "/v3/player/Salted", nil, &player)
		var failed *client.Error
		if c.status == 0 && (err != nil || player.Username != "Salted") || c.status != 0 && (!errors.As(err, &failed) ||
			failed.Status != c.status) {
			t.Errorf("%s: got error %v and %+v, want status %d", name, err, player, c.status)
		}
		if !slices.Equal(s.waits, c.waits) || len(s.requests()) != len(c.steps) {
			t.Errorf("%s: got %d requests and waits %v, want %d and %v", name, len(s.requests()), s.waits, len(c.steps), c.waits)
		}
	}
}

func TestTypedErrors(t *testing.T) {
	s := serve(t, respond(429, tooMany, "Retry-After", "7"),
		respond(300, `{"error": "MultipleObjectsReturned", "detail": "Query returned multiple results.",
			"code": 300, "objects": {"a": {}, "b": {}}}`),
		respond(502, "<html>"))
	c := s.client(t, client.Options{Retries: -1})
	var e *client.Error
	if err := c.Get(t.Context(), "/v3/a", nil, nil); !errors.As(err, &e) || e.Name != "TooManyRequests" ||
		e.RetryAfter != 7*time.Second {
		t.Errorf("%+v", e)
	}
	if err := c.Get(t.Context(), "/v3/b", nil, nil); !errors.As(err, &e) || len(e.Objects) != 2 {
		t.Errorf("%+v", e)
	}
	if err := c.Get(t.Context(), "/v3/c", nil, nil); !errors.As(err, &e) || e.Name != "" ||
		e.Error() != "the service responded with status 502" {
		t.Errorf("%+v", e)
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
	err = c.Get(t.Context(), "/v3/player/a%2Fb", url.Values{"fullResult": {""}}, nil)
	if err == nil || !strings.Contains(err.Error(), " \"http://"+at+"/game/v3/player/a%2Fb?fullResult=") ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if name, word, _ := s.requests()[0].BasicAuth(); name != "bot" || word != "secret" {
		t.Errorf("got user %q, want bot", name)
	}
	if err := c.Get(t.Context(), "/v3/x", nil, nil); err == nil || !strings.Contains(err.Error(),
		"http://127.0.0.1:1/elsewhere") {
		t.Errorf("%v", err)
	}
}

// Responses are revalidated by their ETag, and no-store is not cached.
func TestETags(t *testing.T) {
	var second string
	s := serve(t, respond(200, `"first"`, "ETag", `"1"`, "Cache-Control", "max-age=60, private"),
		func(w http.ResponseWriter, r *http.Request) {
			second = r.Header.Get("If-None-Match")
			w.WriteHeader(304)
		}, respond(200, `"third"`, "ETag", `"3"`), respond(200, `"not cached"`, "ETag", `"4"`, "Cache-Control",
			"max-age=0, private, no-store"), respond(200, `"again"`))
	c := s.client(t, client.Options{})
	for i, want := range []string{"first", "first", "third"} {
		var got string
		if err := c.Get(t.Context(), "/v3/x", nil, &got); err != nil || got != want {
			t.Errorf("response %d: got %q (%v), want %q", i, got, err, want)
		}
	}
	var got string
	if err := errors.Join(c.Get(t.Context(), "/v3/y", nil, &got), c.Get(t.Context(), "/v3/y", nil, &got)); err != nil ||
		got != "again" {
		t.Errorf("%q %v", got, err)
	}
	if second != `"1"` || s.requests()[2].Header.Get("If-None-Match") != `"1"` ||
		s.requests()[4].Header.Get("If-None-Match") != "" {
		t.Errorf("got If-None-Match %q", second)
	}
}

// A mutation is not sent again after a network error, but after a rate limit error.
func TestGraphQL(t *testing.T) {
	s := serve(t, drop, respond(429, `{"errors":[{"message":"Too many","extensions":{"code":"TOO_MANY_REQUESTS"}}]}`,
		"Retry-After", "1"),
		respond(200, `{"data":{"done":true}}`),
		respond(200, `{"errors":[{"message":"Missing","path":["a",1],"extensions":{"code":"NOT_FOUND"}}],
			"data":{"a":null,"b":1}}`))
	c := s.client(t, client.Options{})
	if err := c.Mutate(t.Context(), "mutation { done }", nil, nil); err == nil || len(s.requests()) != 1 {
		t.Errorf("got error %v after %d requests, want an error after 1", err, len(s.requests()))
	}
	var done struct{ Done bool }
	if err := c.Mutate(t.Context(), "mutation { done }", nil, &done); err != nil || !done.Done {
		t.Error(err)
	}
	var part struct{ B int }
	err := c.Query(t.Context(), "{ a b }", nil, &part)
	var failed *client.GraphQLErrors
	if !errors.As(err, &failed) || !client.IsNotFound(err) || fmt.Sprint(failed.Errors[0].Path) != "[a 1]" ||
		part.B != 1 {
		t.Errorf("%v %+v", err, part)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { cancel(); w.WriteHeader(503) })
	c := s.client(t, client.Options{})
	if err := c.Get(ctx, "/v3/x", nil, nil); err == nil || len(s.waits) > 0 {
		t.Errorf("got error %v and waits %v, want an error and none", err, s.waits)
	}
	late, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	s = serve(t, respond(429, tooMany, "Retry-After", "7200"))
	if err := s.client(t, client.Options{MaxWait: 24 * time.Hour}).Get(late, "/v3/x", nil, nil); err == nil ||
		len(s.waits) > 0 {
		t.Errorf("got error %v and waits %v beyond the deadline", err, s.waits)
	}
	for _, address := range []string{"", "data.example", "ftp://data.example", "http://x?y"} {
		if _, err := client.New(address, client.Options{}); err == nil {
			t.Errorf("address %q: got no error", address)
		}
	}
}
