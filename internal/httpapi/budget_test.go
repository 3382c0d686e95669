package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
)

// crowd is a door with two places and nobody who waits: GET /slow works until it is let go,
// GET /quick and /graphql at once.
func crowd(t *testing.T) (h *house, working chan struct{}, letGo func()) {
	working, release := make(chan struct{}), make(chan struct{})
	answers, err := cache.New[httpapi.Answer](cache.Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(answers.Close)
	h = open(t, func(o *httpapi.Options) {
		o.Exec = mossExecutor(t)
		o.Answers = answers
		o.Now = nil
		o.Timeout = time.Minute
		o.MaxAnswer = 1000
		o.Gate = loadshed.New(loadshed.Options{Places: 2, Wait: time.Minute})
	}, func(d *httpapi.Door) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/graphql" {
				d.GraphQL().ServeHTTP(w, r)
				return
			}
			q := httpapi.Question{Key: r.URL.String(), MaxAge: time.Minute, Scope: graph.Shared, Cost: 1}
			if r.URL.Query().Has("heavy") {
				q.Cost = 100
			}
			d.Serve(w, r, q, func(context.Context) httpapi.Answer {
				if r.URL.Path == "/slow" {
					working <- struct{}{}
					<-release
				}
				return httpapi.Answer{
					Body: []byte(`"` + strings.Repeat("x", len(r.URL.RawQuery)) + `"`), MaxAge: q.MaxAge,
					Scope: q.Scope,
				}
			})
		})
	})
	return h, working, func() { close(release) }
}

// With all places taken, kept answers keep coming and the others are told to come again, in
// the form of their door; then all is as before.
func TestOverload(t *testing.T) {
	h, working, letGo := crowd(t)
	const query = `{"query":"{ items }"}`
	h.ask("GET", "/quick?kept", "").has(t, 200)
	h.ask("POST", "/graphql", query).has(t, 200)
	slow := make(chan got, 2)
	for _, path := range []string{"/slow?1", "/slow?2"} {
		go func() { slow <- h.ask("GET", path, "") }()
		<-working
	}
	h.ask("GET", "/quick?kept", "").has(t, 200, "Age", "0")
	h.ask("POST", "/graphql", query).has(t, 200, "Age", "0")
	away := h.ask("GET", "/quick?other", "")
	away.has(t, 503, "Retry-After", "5", "Cache-Control", "max-age=0, private, no-store")
	if away.body != `{"error":"ServiceUnavailable","detail":"The service is not available right now.","code":503}` {
		t.Error(away.body)
	}
	away.always(t)
	for _, body := range []string{query[:len(query)-2] + ` "}`, `{"query":"{ shared }"}`} {
		away = h.ask("POST", "/graphql", strings.Replace(body, "items", "x: items", 1))
		away.has(t, 503, "Retry-After", "5")
		if !strings.Contains(away.body, `"code":"SERVICE_UNAVAILABLE"`) || !strings.HasPrefix(away.body, `{"errors":`) {
			t.Error(away.body)
		}
	}
	letGo()
	for range 2 {
		if a := <-slow; a.StatusCode != 200 {
			t.Error(a.StatusCode, a.body)
		}
	}
	h.ask("GET", "/quick?other", "").has(t, 200)
}

// What asks for much gets no more than half of the places.
func TestHeavyIsTurnedAwayFirst(t *testing.T) {
	h, working, letGo := crowd(t)
	slow := make(chan got, 1)
	go func() { slow <- h.ask("GET", "/slow?heavy", "") }()
	<-working
	h.ask("GET", "/quick?heavy", "").has(t, 503, "Retry-After", "5")
	h.ask("GET", "/quick", "").has(t, 200)
	letGo()
	if a := <-slow; a.StatusCode != 200 {
		t.Error(a.StatusCode, a.body)
	}
	h.ask("GET", "/quick?heavy", "").has(t, 200)
}

// An answer larger than allowed is not sent, nor kept.
func TestLargestAnswer(t *testing.T) {
	h, _, _ := crowd(t)
	h.ask("GET", "/quick?"+strings.Repeat("x", 998), "").has(t, 200, "Content-Length", "1000")
	for range 2 {
		large := h.ask("GET", "/quick?"+strings.Repeat("x", 999), "")
		large.has(t, 400, "Age", "")
		if !strings.Contains(large.body, "The answer has 1001 bytes, at most 1000 are allowed") {
			t.Error(large.body)
		}
	}
}
