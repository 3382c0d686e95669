package bench

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// load counts the results of uncached requests.
type load struct {
	// send sends a request and returns the status.
	send func() int

	mu         sync.Mutex
	served     int // within a second
	rejections []time.Duration
}

func (l *load) request() {
	begun := time.Now()
	status := l.send()
	took := time.Since(begun)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case status == http.StatusOK && took <= time.Second:
		l.served++
	case status == http.StatusServiceUnavailable:
		l.rejections = append(l.rejections, took)
	}
}

// peak returns the responses per second to clients that wait for theirs.
func (l *load) peak(d time.Duration) float64 {
	return l.during(d, func(end time.Time, all *sync.WaitGroup) {
		for range 4 * runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for time.Now().Before(end) {
					l.request()
				}
			})
		}
	})
}

// flood returns the responses per second while perSecond requests a second are sent, whatever becomes of them.
func (l *load) flood(perSecond float64, d time.Duration) float64 {
	return l.during(d, func(end time.Time, all *sync.WaitGroup) {
		step := time.NewTicker(2 * time.Millisecond)
		defer step.Stop()
		sent := 0
		for begun := time.Now(); time.Now().Before(end); <-step.C {
			for due := int(time.Since(begun).Seconds() * perSecond); sent < due; sent++ {
				all.Go(l.request)
			}
		}
	})
}

func (l *load) during(d time.Duration, send func(end time.Time, all *sync.WaitGroup)) float64 {
	l.served = 0
	var all sync.WaitGroup
	begun := time.Now()
	send(begun.Add(d), &all)
	all.Wait()
	return float64(l.served) / time.Since(begun).Seconds()
}

// compare floods with five times the peak, in turns with the peak.
func (l *load) compare(b *testing.B, row string) {
	second := time.Second
	l.peak(second)
	var t turns
	for b.Loop() {
		for range 5 { // a single round varies much
			peak := l.peak(3 * second)
			flood := l.flood(5*peak, 4*second)
			t.our, t.their, t.ratios = append(t.our, flood), append(t.their, peak), append(t.ratios, flood/peak)
		}
	}
	if len(l.rejections) == 0 {
		b.Fatal("no request was rejected")
	}
	slices.Sort(l.rejections)
	rejection := l.rejections[len(l.rejections)/2].Seconds()
	addComparison(b, comparison{
		row, fmt.Sprintf("%.0f/s", median(t.our)), fmt.Sprintf("%.0f/s", median(t.their)), median(t.ratios), atLeast(0.8),
	})
	addComparison(b, comparison{row + ", rejections, p50, ms", milliseconds(rejection), "", 1000 * rejection, atMost(50)})
}

// BenchmarkOverload compares the responses per second at five times the capacity with the peak; the other requests get
// 503. "handler" calls the handler, to measure the service and not its clients. "core" runs the program on one core and
// sends requests over sockets from another.
func BenchmarkOverload(b *testing.B) {
	const path = "/v3/player/Salted?fullResult"
	b.Run("handler", func(b *testing.B) {
		svc := apptest.NewService(b, "--cache-size", "0", "--queue-wait", "300ms")
		l := &load{send: func() int { return svc.Handle(path).Code }}
		l.compare(b, "responses at 5 × capacity, against the peak")
	})
	b.Run("core", func(b *testing.B) {
		pin(b, "1", os.Getpid())
		defer pin(b, fmt.Sprintf("0-%d", runtime.NumCPU()-1), os.Getpid())
		p := startProgram(b, "--demo-speed", "0", "--cache-size", "0", "--guest-rate", "1000000", "--leaderboard-refresh", "0")
		pin(b, "0", p.pid)
		client := &http.Client{
			Transport: &http.Transport{MaxIdleConnsPerHost: 4000, MaxConnsPerHost: 4000}, Timeout: 10 * time.Second,
		}
		l := &load{send: func() int {
			res, err := client.Get(p.base + path)
			if err != nil {
				return 0
			}
			return apptest.Read(b, res).Status
		}}
		l.compare(b, "responses at 5 × capacity on one core, sockets")
	})
}

func pin(b *testing.B, cores string, pid int) {
	if out, err := exec.CommandContext(b.Context(), "taskset", "-acp", cores, strconv.Itoa(pid)).
		CombinedOutput(); err != nil {
		b.Skipf("cannot choose a core here: %v %s", err, out)
	}
}

// BenchmarkOverloadGuests measures lookups of players, none of them cached, while guests send four times what their
// quota allows. What is accepted is a quarter of what the service can do.
func BenchmarkOverloadGuests(b *testing.B) {
	const quota = 6 // a minute
	svc := apptest.NewService(b, "--cache-size", "0", "--guest-rate", strconv.Itoa(quota))
	paths := playerPaths(b, svc)
	guests, sent := int64(1<<16), atomic.Int64{}
	var took []time.Duration // by accepted requests
	var mu sync.Mutex
	l := &load{send: func() int {
		path := paths[sent.Add(1)%int64(len(paths))] // equal requests would share one run
		r := httptest.NewRequest(http.MethodGet, path, nil)
		guest := rand.Int64N(guests) // guests in turn would all be accepted in the same seconds
		r.RemoteAddr = fmt.Sprintf("10.1.%d.%d:1", guest>>8, guest&255)
		w, begun := httptest.NewRecorder(), time.Now()
		svc.Handler.ServeHTTP(w, r)
		if w.Code == http.StatusOK {
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(begun))
		}
		return w.Code
	}}
	accepted := l.peak(3*time.Second) / 4
	guests = int64(accepted * 60 / quota)
	l.flood(4*accepted, 21*time.Second) // spends the quotas
	took = nil
	for b.Loop() {
		l.flood(4*accepted, 10*time.Second)
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	ratio := p99.Seconds() / p50.Seconds()
	addComparison(b, comparison{
		"accepted lookups at 4 × the guest rate, uncached, p99 against p50", milliseconds(p99.Seconds()),
		milliseconds(p50.Seconds()), ratio, atMost(10),
	})
}

func playerPaths(b *testing.B, svc *apptest.Service) (paths []string) {
	res := svc.Request(http.MethodPost, "/graphql", `{"query":"{players(first:100){nodes{uuid}}}"}`)
	for _, m := range regexp.MustCompile(`[0-9a-f-]{36}`).FindAllString(string(res.Body), -1) {
		paths = append(paths, "/v3/player/"+m+"?fullResult")
	}
	if len(paths) < 50 {
		b.Fatal(string(res.Body))
	}
	return paths
}
