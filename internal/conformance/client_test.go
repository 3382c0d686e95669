package conformance

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/rest"
)

// serve returns a client of a service that responds to one request after the other, and its waits, which take no time.
func serve(t *testing.T, steps ...http.HandlerFunc) (c *Client, waits *[]time.Duration) {
	t.Helper()
	requests := make(chan http.HandlerFunc, len(steps))
	for _, step := range steps {
		requests <- step
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (<-requests)(w, r) }))
	t.Cleanup(s.Close)
	t.Cleanup(func() {
		if n := len(requests); n > 0 {
			t.Errorf("%d requests were not sent", n)
		}
	})
	c, err := NewClient(s.URL, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	waits = new([]time.Duration)
	c.sleep = func(ctx context.Context, d time.Duration) error { *waits = append(*waits, d); return ctx.Err() }
	return c, waits
}

func respond(status int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "body")
	}
}

func drop(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

var get = rest.Case{Method: http.MethodGet, Target: "/v3/player/Salted"}

func TestRetries(t *testing.T) {
	const second = time.Second
	down := respond(503, "Retry-After", "1")
	for name, c := range map[string]struct {
		steps  []http.HandlerFunc
		waits  []time.Duration
		status int
	}{
		"success": {[]http.HandlerFunc{respond(200)}, nil, 200},
		"after a rate limit error": {
			[]http.HandlerFunc{respond(429, "Retry-After", "7"), respond(200)}, []time.Duration{7 * second}, 200,
		},
		"while unavailable": {
			[]http.HandlerFunc{down, respond(502), respond(200)}, []time.Duration{second, 400 * time.Millisecond}, 200,
		},
		"after a network error":    {[]http.HandlerFunc{drop, respond(200)}, []time.Duration{200 * time.Millisecond}, 200},
		"not beyond the longest":   {[]http.HandlerFunc{respond(429, "Retry-After", "61")}, nil, 429},
		"not after a client error": {[]http.HandlerFunc{respond(404)}, nil, 404},
		"not for ever": {
			[]http.HandlerFunc{down, down, down, down, down, down},
			[]time.Duration{second, second, second, second, second},
			503,
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, waits := serve(t, c.steps...)
			got, err := client.send(t.Context(), get)
			if err != nil || got.Status != c.status || !slices.Equal(*waits, c.waits) {
				t.Errorf("got %+v, %v after waits %v, want status %d after %v", got, err, *waits, c.status, c.waits)
			}
		})
	}
}

// A network error contains the requested URL without its password, and ends when the caller leaves.
func TestNetworkErrors(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	client, waits := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if name, word, _ := r.BasicAuth(); name != "bot" || word != "secret" {
			t.Errorf("got user %q, want bot", name)
		}
		leave()
		drop(w, r)
	})
	at := strings.TrimPrefix(client.base, "http://")
	client.base = "http://bot:secret@" + at + "/game"
	_, err := client.send(ctx, rest.Case{Method: http.MethodGet, Target: "/v3/player/a%2Fb?fullResult="})
	if err == nil || !strings.Contains(err.Error(), " \"http://"+at+"/game/v3/player/a%2Fb?fullResult=") ||
		strings.Contains(err.Error(), "secret") || len(*waits) > 0 {
		t.Errorf("got error %v and waits %v", err, *waits)
	}
	for _, address := range []string{"", "data.example", "ftp://data.example", "http://x?y"} {
		if _, err := NewClient(address, 0); err == nil {
			t.Errorf("address %q: got no error", address)
		}
	}
}
