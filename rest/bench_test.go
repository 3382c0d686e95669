package rest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// BenchmarkRequestCache compares a request that skips routing and binding with one that does not. The
// endpoint itself fails at once.
func BenchmarkRequestCache(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	exec, err := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{Log: log})
	if err != nil {
		b.Fatal(err)
	}
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{
			Counters: ratelimit.New(ratelimit.Options{}),
			Rates:    httpapi.Rates{viewer.Guest: {Limit: 1 << 30, Per: time.Minute}},
		},
		Log: log,
	})
	ops, err := Load(exec.Schema())
	if err != nil {
		b.Fatal(err)
	}
	v3, err := New(api, exec, ops, Options{Log: log})
	if err != nil {
		b.Fatal(err)
	}
	router := mux.NewRouter().UseEncodedPath().SkipClean(true)
	v3.Register(router)
	w := discard{http.Header{}}
	for name, handler := range map[string]http.Handler{"cached": v3.SkipRouting(router), "routed": router} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest("OPTIONS", "/v3/leaderboards/guildLevel?resultLimit=10", nil)
			get := httptest.NewRequest("GET", r.RequestURI, nil)
			handler.ServeHTTP(w, get)
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				handler.ServeHTTP(w, r)
			}
		})
	}
}
