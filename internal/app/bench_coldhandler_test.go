package app_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkColdHandler measures uncached requests without a connection, for profiles and allocations:
//
//	go test ./internal/app -run '^$' -bench ColdHandler/items -cpuprofile cpu.out -memprofile mem.out
func BenchmarkColdHandler(b *testing.B) {
	w := newBenchWorld(b)
	ranked := populatedWorld(b, fewPlayers)
	ranked.rank(b)
	for _, row := range []struct {
		name, path string
		w          *world
		prepare    func()
	}{
		{"leaderboard", thousandPath, ranked, ranked.expireCaches},
		{"guild", largeGuildPath, w, w.expireCaches},
		{"items", itemsPath, w, w.changeItems},
		{"items-cached", itemsPath, w, w.expireCaches},
		{"territories", "/v3/guild/list/territory", w, w.expireCaches},
		{"nodes", "/v3/map/gathering-nodes", w, w.expireCaches},
	} {
		b.Run(row.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, row.path, nil)
			response := &discardWriter{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				row.prepare()
				clear(response.header)
				b.StartTimer()
				row.w.handler.ServeHTTP(response, r)
			}
			if response.status != http.StatusOK {
				b.Fatal(response.status)
			}
		})
	}
}
