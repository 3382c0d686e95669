package graphqlhttp_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/loadshed"
)

// serveSlowly serves two operations at once and queues none: GET /slow runs until released, GET
// /quick and /graphql do not block.
func serveSlowly(t *testing.T) (h *httpapitest.Server, running chan struct{}, release func()) {
	running, released := make(chan struct{}), make(chan struct{})
	responses, err := cache.New[httpapi.Response](cache.Options{MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(responses.Close)
	limiter := loadshed.New(loadshed.Options{
		MaxConcurrent: 2, MaxMiddle: 1, MaxLow: 1, Wait: time.Minute, WaitLow: time.Minute,
	})
	h = httpapitest.Serve(t, func(o *httpapi.Options) {
		o.Now = nil
		o.Cache = httpapi.CacheOptions{Responses: responses, Timeout: time.Minute, MaxBytes: 1000, Limiter: limiter}
	}, func(api *httpapi.API) http.Handler {
		graphQL := graphqlhttp.New(api, mossExecutor(t), graphqlhttp.Options{Limiter: limiter})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == graphqlhttp.Path {
				graphQL.ServeHTTP(w, r)
				return
			}
			q := httpapi.CacheRequest{Key: r.URL.String(), MaxAge: time.Minute, Scope: graph.Shared, Cost: 1}
			if r.URL.Query().Has("expensive") {
				q.Cost = 100
			}
			api.Cache.Serve(w, r, q, func(context.Context) httpapi.Response {
				if r.URL.Path == "/slow" {
					running <- struct{}{}
					<-released
				}
				return httpapi.Response{
					Body: []byte(`"` + strings.Repeat("x", len(r.URL.RawQuery)) + `"`), MaxAge: q.MaxAge,
					Scope: q.Scope,
				}
			})
		})
	})
	return h, running, func() { close(released) }
}

// Under overload cached responses are served and the rest is 503, in the format of its API.
func TestOverload(t *testing.T) {
	h, running, release := serveSlowly(t)
	const query = `{"query":"{ items }"}`
	h.Do("GET", "/quick?cached", "").Has(t, 200)
	h.Do("POST", "/graphql", query).Has(t, 200)
	slow := make(chan httpapitest.Response, 2)
	for _, path := range []string{"/slow?1", "/slow?2"} {
		go func() { slow <- h.Do("GET", path, "") }()
		<-running
	}
	h.Do("GET", "/quick?cached", "").Has(t, 200, "Age", "0")
	h.Do("POST", "/graphql", query).Has(t, 200, "Age", "0")
	rejected := h.Do("GET", "/quick?other", "")
	rejected.Has(t, 503, "Retry-After", "5", "Cache-Control", "max-age=0, private, no-store")
	if rejected.Text != `{"error":"ServiceUnavailable","detail":"The service is not available right now.","code":503}` {
		t.Error(rejected.Text)
	}
	rejected.HasCommonHeaders(t)
	for _, body := range []string{query[:len(query)-2] + ` "}`, `{"query":"{ shared }"}`} {
		rejected = h.Do("POST", "/graphql", strings.Replace(body, "items", "x: items", 1))
		rejected.Has(t, 503, "Retry-After", "5")
		if !strings.HasPrefix(rejected.Text, `{"errors":`) ||
			!strings.Contains(rejected.Text, `"code":"SERVICE_UNAVAILABLE"`) {
			t.Error(rejected.Text)
		}
	}
	release()
	for range 2 {
		(<-slow).Has(t, 200)
	}
	h.Do("GET", "/quick?other", "").Has(t, 200)
}

// Expensive operations get at most half of the concurrency.
func TestExpensiveOperationsAreRejectedFirst(t *testing.T) {
	h, running, release := serveSlowly(t)
	slow := make(chan httpapitest.Response, 1)
	go func() { slow <- h.Do("GET", "/slow?expensive", "") }()
	<-running
	h.Do("GET", "/quick?expensive", "").Has(t, 503, "Retry-After", "5")
	h.Do("GET", "/quick", "").Has(t, 200)
	release()
	(<-slow).Has(t, 200)
	h.Do("GET", "/quick?expensive", "").Has(t, 200)
}

// A response larger than MaxBytes is neither sent nor cached.
func TestMaxBytesOfResponse(t *testing.T) {
	h, _, _ := serveSlowly(t)
	h.Do("GET", "/quick?"+strings.Repeat("x", 998), "").Has(t, 200, "Content-Length", "1000")
	for range 2 {
		large := h.Do("GET", "/quick?"+strings.Repeat("x", 999), "")
		large.Has(t, 400, "Age", "")
		if !strings.Contains(large.Text, "The response has 1001 bytes, at most 1000 are allowed") {
			t.Error(large.Text)
		}
	}
}
