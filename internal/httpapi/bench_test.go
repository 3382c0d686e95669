package httpapi_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// BenchmarkWrite is what one answer costs besides making it, limiter and headers included.
func BenchmarkWrite(b *testing.B) {
	plain := httpapi.Answer{Body: []byte(long), MaxAge: time.Minute, Scope: graph.Shared}
	for name, a := range map[string]httpapi.Answer{"stored": plain.Seal(), "fresh": plain} {
		b.Run(name, func(b *testing.B) {
			d := httpapi.New(httpapi.Options{
				Limiter: ratelimit.New(ratelimit.Options{}),
				Rates:   httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
			})
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Accept-Encoding", "gzip")
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if d.Admit(w, r, "ITEMS", 1) {
					d.Write(w, r, a)
				}
			}
		})
	}
}
