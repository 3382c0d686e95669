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

// script answers one request after the other, and remembers what was asked.
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
			t.Errorf("asked %d times: %s", n, r.RequestURI)
			return
		}
		steps[n-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// asked are the requests so far.
func (s *script) asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// client has a clock that does not wait.
func (s *script) client(t testing.TB, o client.Options) *client.Client {
	t.Helper()
	o.Wait = func(ctx context.Context, d time.Duration) error { s.waits = append(s.waits, d); return ctx.Err() }
	c, err := client.New(s.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
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
	ok := answer(200, `{"username": "Salted"}`)
	for name, c := range map[string]struct {
		options client.Options
		steps   []http.HandlerFunc
		waits   []time.Duration
		status  int // of the error; 0 when there is none
	}{
		"at once": {client.Options{}, []http.HandlerFunc{ok}, nil, 0},
		"after the limit": {
			client.Options{},
			[]http.HandlerFunc{answer(429, tooMany, "Retry-After", "7"), ok},
			[]time.Duration{7 * time.Second},
			0,
		},
		"after a fault": {client.Options{}, []http.HandlerFunc{
			answer(503, "", "Retry-After", "1"), answer(502, ""),
			ok,
		}, []time.Duration{time.Second, 400 * time.Millisecond}, 0},
		"after a break": {client.Options{}, []http.HandlerFunc{drop, ok}, []time.Duration{200 * time.Millisecond}, 0},
		"never that long": {client.Options{MaxWait: 6 * time.Second}, []http.HandlerFunc{answer(429, tooMany,
			"Retry-After", "7")}, nil, 429},
		"never more than": {
			client.Options{Retries: 1},
			[]http.HandlerFunc{answer(503, ""), answer(503, "")},
			[]time.Duration{200 * time.Millisecond},
			503,
		},
		"never": {client.Options{Retries: -1}, []http.HandlerFunc{answer(503, "")}, nil, 503},
		"not what is refused": {client.Options{}, []http.HandlerFunc{answer(404,
			`{"error": "NotFound", "detail": "Resource not found.", "code": 404}`)}, nil, 404},
	} {
		s := serve(t, c.steps...)
		var player struct{ Username string }
		err := s.client(t, c.options).Get(t.Context(), "/v3/player/Salted", nil, &player)
		var refused *client.Error
		if c.status == 0 && (err != nil || player.Username != "Salted") || c.status != 0 && (!errors.As(err, &refused) ||
			refused.Status != c.status) {
			t.Errorf("%s: %v, %+v", name, err, player)
		}
		if !slices.Equal(s.waits, c.waits) || len(s.asked()) != len(c.steps) {
			t.Errorf("%s: asked %d times, waited %v; want %d, %v", name, len(s.asked()), s.waits, len(c.steps), c.waits)
		}
	}
}

func TestTypedErrors(t *testing.T) {
	s := serve(t, answer(429, tooMany, "Retry-After", "7"),
		answer(300, `{"error": "MultipleObjectsReturned", "detail": "Query returned multiple results.", "code": 300, "objects": {"a": {}, "b": {}}}`),
		answer(502, "<html>"))
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
		e.Error() != "the service answered 502" {
		t.Errorf("%+v", e)
	}
}

// A failure names the address that was asked, without its password.
func TestErrorsNameTheAddress(t *testing.T) {
	s := serve(t, drop, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusFound)
	})
	at := strings.TrimPrefix(s.URL, "http://")
	c, err := client.New("http://keeper:secret@"+at+"/game", client.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Get(t.Context(), "/v3/player/a%2Fb", url.Values{"fullResult": {""}}, nil)
	if err == nil || !strings.Contains(err.Error(), " \"http://"+at+"/game/v3/player/a%2Fb?fullResult=") ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if name, word, _ := s.asked()[0].BasicAuth(); name != "keeper" || word != "secret" {
		t.Errorf("signed in as %q", name)
	}
	if err := c.Get(t.Context(), "/v3/x", nil, nil); err == nil || !strings.Contains(err.Error(),
		"http://127.0.0.1:1/elsewhere") {
		t.Errorf("%v", err)
	}
}

// What has not changed is not fetched again, and nobody gets what was kept for another credential.
func TestETags(t *testing.T) {
	var second string
	s := serve(t, answer(200, `"first"`, "ETag", `"1"`, "Cache-Control", "max-age=60, private"),
		func(w http.ResponseWriter, r *http.Request) {
			second = r.Header.Get("If-None-Match")
			w.WriteHeader(304)
		}, answer(200, `"third"`, "ETag", `"3"`), answer(200, `"never kept"`, "ETag", `"4"`, "Cache-Control",
			"max-age=0, private, no-store"), answer(200, `"again"`))
	c := s.client(t, client.Options{})
	for i, want := range []string{"first", "first", "third"} {
		var got string
		if err := c.Get(t.Context(), "/v3/x", nil, &got); err != nil || got != want {
			t.Errorf("answer %d: %q %v", i, got, err)
		}
	}
	var got string
	if err := errors.Join(c.Get(t.Context(), "/v3/y", nil, &got), c.Get(t.Context(), "/v3/y", nil, &got)); err != nil ||
		got != "again" {
		t.Errorf("%q %v", got, err)
	}
	if second != `"1"` || s.asked()[2].Header.Get("If-None-Match") != `"1"` ||
		s.asked()[4].Header.Get("If-None-Match") != "" {
		t.Errorf("asked with %q", second)
	}
}

// A mutation whose answer was lost is not sent twice; one that was refused is.
func TestGraphQL(t *testing.T) {
	s := serve(t, drop, answer(429, `{"errors":[{"message":"Too many","extensions":{"code":"TOO_MANY_REQUESTS"}}]}`,
		"Retry-After", "1"),
		answer(200, `{"data":{"done":true}}`),
		answer(200, `{"errors":[{"message":"Gone","path":["a",1],"extensions":{"code":"NOT_FOUND"}}],"data":{"a":null,"b":1}}`))
	c := s.client(t, client.Options{})
	if err := c.Mutate(t.Context(), "mutation { done }", nil, nil); err == nil || len(s.asked()) != 1 {
		t.Errorf("%v, asked %d times", err, len(s.asked()))
	}
	var done struct{ Done bool }
	if err := c.Mutate(t.Context(), "mutation { done }", nil, &done); err != nil || !done.Done {
		t.Error(err)
	}
	var part struct{ B int }
	err := c.Query(t.Context(), "{ a b }", nil, &part)
	var several *client.GraphQLErrors
	if !errors.As(err, &several) || !client.IsNotFound(err) || fmt.Sprint(several.Errors[0].Path) != "[a 1]" ||
		part.B != 1 {
		t.Errorf("%v %+v", err, part)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { cancel(); w.WriteHeader(503) })
	c := s.client(t, client.Options{})
	if err := c.Get(ctx, "/v3/x", nil, nil); err == nil || len(s.waits) > 0 {
		t.Errorf("%v, waited %v", err, s.waits)
	}
	late, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	s = serve(t, answer(429, tooMany, "Retry-After", "7200"))
	if err := s.client(t, client.Options{MaxWait: 24 * time.Hour}).Get(late, "/v3/x", nil, nil); err == nil ||
		len(s.waits) > 0 {
		t.Errorf("waits beyond its deadline: %v, %v", err, s.waits)
	}
	for _, address := range []string{"", "data.example", "ftp://data.example", "http://x?y"} {
		if _, err := client.New(address, client.Options{}); err == nil {
			t.Errorf("takes the address %q", address)
		}
	}
}
