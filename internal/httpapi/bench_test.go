package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// discard is a ResponseWriter that stores only the headers.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkWriteResponse measures middleware, rate limiter and headers of one response. "stored" is a
// response with precomputed encodings, as the cache holds it.
func BenchmarkWriteResponse(b *testing.B) {
	plain := httpapi.Response{
		Body: []byte(long), MaxAge: time.Minute, Scope: graph.Shared, Hit: true,
		ReadStats: graph.ReadStats{Made: time.Now(), Source: httpapi.SourceREST},
	}
	for name, resp := range map[string]httpapi.Response{"stored": plain.Precompute(), "computed": plain} {
		b.Run(name, func(b *testing.B) {
			api := httpapi.New(httpapi.Options{RateLimit: httpapi.RateLimitOptions{
				Counters: ratelimit.New(ratelimit.Options{}),
				Rates:    httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
			}})
			handler := api.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if api.Limits.Authorize(w, r, "ITEMS", 1) {
					httpapi.WriteResponse(w, r, resp)
				}
			}))
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Accept-Encoding", "gzip")
			w := &discard{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				handler.ServeHTTP(w, r)
			}
		})
	}
}
