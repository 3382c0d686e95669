package app_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/rest"
)

// load counts the results of uncached requests.
type load struct {
	svc              *testService
	served, rejected atomic.Int64
	mu               sync.Mutex
	rejectionTimes   []time.Duration
}

// send sends an uncached request. A response after more than a second does not count. It calls the handler without a
// socket, to measure the service and not its clients.
func (l *load) send() {
	begun := time.Now()
	r := httptest.NewRequest("GET", "/v3/player/Salted?fullResult", nil)
	w := httptest.NewRecorder()
	l.svc.handler.ServeHTTP(w, r)
	took := time.Since(begun)
	switch {
	case w.Code == 200 && took <= time.Second:
		l.served.Add(1)
	case w.Code == 503 && w.Header().Get("Retry-After") != "":
		l.rejected.Add(1)
		l.mu.Lock()
		l.rejectionTimes = append(l.rejectionTimes, took)
		l.mu.Unlock()
	}
}

// peak returns the responses per second if every client waits for its response.
func (l *load) peak(d time.Duration) float64 {
	before, end := l.served.Load(), time.Now().Add(d)
	var clients sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		clients.Go(func() {
			for time.Now().Before(end) {
				l.send()
			}
		})
	}
	clients.Wait()
	return float64(l.served.Load()-before) / d.Seconds()
}

// flood sends perSecond requests a second without waiting for responses, and returns the successful responses per
// second once the queue is full.
func (l *load) flood(perSecond float64, d time.Duration) float64 {
	var all sync.WaitGroup
	begun, sent, settled := time.Now(), 0, int64(-1)
	for step := time.NewTicker(5 * time.Millisecond); time.Since(begun) < d+time.Second; <-step.C {
		for due := int(time.Since(begun).Seconds() * perSecond); sent < due; sent++ {
			all.Go(l.send)
		}
		if settled < 0 && time.Since(begun) >= time.Second {
			settled = l.served.Load()
		}
	}
	good, took := l.served.Load()-settled, time.Since(begun)-time.Second
	all.Wait()
	return float64(good) / took.Seconds()
}

// BenchmarkOverload compares the responses per second at five times the capacity with the peak; the other requests get
// 503 with Retry-After.
func BenchmarkOverload(b *testing.B) {
	l := &load{svc: newTestService(b, "--cache-size", "0", "--queue-wait", "300ms")}
	l.peak(time.Second)
	var t turns
	for b.Loop() {
		for range 5 { // a single round varies much
			peak := l.peak(2 * time.Second)
			flood := l.flood(5*peak, 2*time.Second)
			t.our, t.their, t.ratios = append(t.our, flood), append(t.their, peak), append(t.ratios, flood/peak)
		}
	}
	slices.Sort(l.rejectionTimes)
	if len(l.rejectionTimes) == 0 {
		b.Fatal("no request was rejected")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(t.our), "good/s")
	b.ReportMetric(median(t.their), "peak/s")
	b.ReportMetric(median(t.ratios), "ratio")
	b.ReportMetric(float64(l.rejectionTimes[len(l.rejectionTimes)*99/100].Milliseconds()), "rejection-p99-ms")
	b.ReportMetric(float64(l.rejectionTimes[len(l.rejectionTimes)/2].Milliseconds()), "rejection-p50-ms")
	addComparison(comparison{
		"responses at 5 × capacity, against the peak", fmt.Sprintf("%.0f/s", median(t.our)),
		fmt.Sprintf("%.0f/s", median(t.their)), median(t.ratios), atLeast(0.8),
	})
}

// expensiveCallers is how many callers of BenchmarkExpensiveCallers send a document that costs nearly a guest's quota.
const expensiveCallers = 40

// BenchmarkExpensiveCallers measures the latency of cold requests for one player, 50 a second, while forty guests
// send, again and again, a document that reads all items. Its rejected requests get 503 with Retry-After.
func BenchmarkExpensiveCallers(b *testing.B) {
	svc := newTestService(b, "--cache-size", "0")
	ops, err := rest.Load(graph.NewExecutableSchema(graph.Config{}).Schema())
	if err != nil {
		b.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{
		"query": ops["ItemDatabase"].Document(), "variables": map[string]any{"fullResult": true, "first": 100_000},
	})
	if err != nil {
		b.Fatal(err)
	}
	send := func(method, path, body string, from int) (status, size int, took time.Duration) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.RemoteAddr = fmt.Sprintf("10.0.%d.%d:1", from/250, from%250)
		r.Header.Set("Content-Type", "application/json")
		w, begun := httptest.NewRecorder(), time.Now()
		svc.handler.ServeHTTP(w, r)
		return w.Code, w.Body.Len(), time.Since(begun)
	}
	others := func(d time.Duration) []time.Duration {
		var all sync.WaitGroup
		var mu sync.Mutex
		var took []time.Duration
		for begun := time.Now(); time.Since(begun) < d; time.Sleep(20 * time.Millisecond) {
			all.Go(func() {
				status, _, t := send("GET", "/v3/player/Salted?fullResult", "", 0)
				if status != 200 {
					b.Errorf("a cheap request got %d", status)
				}
				mu.Lock()
				took = append(took, t)
				mu.Unlock()
			})
		}
		all.Wait()
		slices.Sort(took)
		return took
	}
	p99 := func(took []time.Duration) time.Duration { return took[len(took)*99/100] }
	var served, rejected atomic.Int64
	for b.Loop() {
		idle := p99(others(5 * time.Second))
		var callers sync.WaitGroup
		var done atomic.Bool
		for i := range expensiveCallers {
			callers.Go(func() {
				for !done.Load() {
					switch status, size, _ := send("POST", "/graphql", string(body), i+1); {
					case status == 200 && size > 100_000:
						served.Add(1)
					case status == 503:
						rejected.Add(1)
						time.Sleep(time.Second) // Retry-After
					default:
						b.Errorf("an expensive request got %d and %d bytes", status, size)
						return
					}
				}
			})
		}
		busy := others(10 * time.Second)
		done.Store(true)
		callers.Wait()
		b.ReportMetric(float64(p99(busy).Microseconds())/1000, "p99-ms")
		b.ReportMetric(float64(busy[len(busy)/2].Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(idle.Microseconds())/1000, "idle-p99-ms")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(served.Load()), "expensive-served")
	b.ReportMetric(float64(rejected.Load()), "expensive-rejected")
}
