package graphqlhttp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gamedata/internal/cache"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// BenchmarkReadOperation measures a cached response of a request that is repeated, and of one whose
// body differs each time and has to be parsed, validated and priced.
func BenchmarkReadOperation(b *testing.B) {
	responses, err := cache.New[httpapi.Response](cache.Options{MaxBytes: 1 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer responses.Close()
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{
			Counters: ratelimit.New(ratelimit.Options{}),
			Rates:    httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
		},
		Cache: httpapi.CacheOptions{Responses: responses},
	})
	handler := api.Middleware(graphqlhttp.New(api, mossExecutor(b), graphqlhttp.Options{}))
	w, contentType := discard{http.Header{}}, []string{"application/json"}
	for name, spaces := range map[string]int{"repeated": 1, "differing": 1000} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				body := post("{ items " + strings.Repeat(" ", n%spaces) + "}")
				r := httptest.NewRequest("POST", "/graphql", strings.NewReader(body))
				r.Header["Content-Type"] = contentType
				clear(w.header)
				handler.ServeHTTP(w, r)
			}
		})
	}
}
