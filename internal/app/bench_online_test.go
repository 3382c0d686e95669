package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/benchtest"
)

// BenchmarkOnline requests the list of 100,000 online players, or BENCH_ONLINE, a tenth of whom hide it from all but
// friends: first with nothing cached, then in its other form, which shares the list, then from the response cache. It
// reports the durations, the bytes of the first body, and the growth of the heap.
func BenchmarkOnline(b *testing.B) {
	players := benchtest.Size(100_000, 500)
	if text := os.Getenv("BENCH_ONLINE"); text != "" {
		var err error
		if players, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	svc := newTestService(b, "--request-timeout", "5s")
	svc.insertOnline(b, players)
	request := func(path string) (time.Duration, int) {
		start := time.Now()
		w := httptest.NewRecorder()
		svc.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			b.Fatalf("%d %.300s", w.Code, w.Body)
		}
		return time.Since(start), w.Body.Len()
	}
	var colds, others, hits []time.Duration
	var grown uint64
	var bytes int
	for range 5 {
		svc.advance(time.Minute)
		before := heap()
		cold, n := request("/v3/player")
		other, _ := request("/v3/player?identifier=uuid")
		if grown == 0 {
			grown = heap() - before
		}
		hit, _ := request("/v3/player")
		bytes, colds, others, hits = n, append(colds, cold), append(others, other), append(hits, hit)
	}
	middle := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[2].Microseconds()) / 1e3 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(colds), "cold-ms")
	b.ReportMetric(middle(others), "other-ms")
	b.ReportMetric(middle(hits), "hit-ms")
	b.ReportMetric(float64(bytes), "body-bytes")
	b.ReportMetric(float64(grown)/(1<<20), "heap-MiB")
	runtime.KeepAlive(svc)
}

// insertOnline adds online players; a tenth hide it from all but friends.
func (svc *testService) insertOnline(b *testing.B, players int) {
	b.Helper()
	open, _ := openPlayer(b)
	for from := 0; from < players; from += 5000 {
		var list []*model.Player
		for n := from; n < min(from+5000, players); n++ {
			uuid := fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(n)*2654435761, n)
			p := copyPlayer(open, uuid, fmt.Sprint("Player", n))
			world := fmt.Sprint("EU", n%200)
			if p.Online, p.World = true, &world; n%10 == 0 {
				p.Rules[model.OnlineStatus] = model.Friend
			}
			list = append(list, p)
		}
		if err := svc.store.Players.Insert(b.Context(), list); err != nil {
			b.Fatal(err)
		}
	}
}
