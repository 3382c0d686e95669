package app_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// socketLoad sends uncached requests over sockets and counts the results.
type socketLoad struct {
	client  *http.Client
	url     string
	mu      sync.Mutex
	served  int             // within a second
	refusal []time.Duration // how long the rejected requests took
}

func (l *socketLoad) send() {
	begun := time.Now()
	res, err := l.client.Get(l.url)
	if err != nil {
		return
	}
	_, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	took := time.Since(begun)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case res.StatusCode == http.StatusOK && err == nil && took <= time.Second:
		l.served++
	case res.StatusCode == http.StatusServiceUnavailable:
		l.refusal = append(l.refusal, took)
	}
}

// peak returns the responses per second to clients that wait for theirs.
func (l *socketLoad) peak(clients int, d time.Duration) float64 {
	return l.during(d, func(end time.Time, all *sync.WaitGroup) {
		for range clients {
			all.Go(func() {
				for time.Now().Before(end) {
					l.send()
				}
			})
		}
	})
}

// flood returns the responses per second while perSecond requests a second are sent, whatever becomes of them.
func (l *socketLoad) flood(perSecond float64, d time.Duration) float64 {
	return l.during(d, func(end time.Time, all *sync.WaitGroup) {
		step := time.NewTicker(2 * time.Millisecond)
		defer step.Stop()
		sent := 0
		for begun := time.Now(); time.Now().Before(end); <-step.C {
			for due := int(time.Since(begun).Seconds() * perSecond); sent < due; sent++ {
				all.Go(l.send)
			}
		}
	})
}

func (l *socketLoad) during(d time.Duration, send func(end time.Time, all *sync.WaitGroup)) float64 {
	l.served = 0
	var all sync.WaitGroup
	begun := time.Now()
	send(begun.Add(d), &all)
	all.Wait()
	return float64(l.served) / time.Since(begun).Seconds()
}

// BenchmarkOverloadOnOneCore runs the program on one core and sends it five times its capacity from another, over
// sockets, without waiting for responses.
func BenchmarkOverloadOnOneCore(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("the load needs another core")
	}
	pin(b, "1")
	defer pin(b, fmt.Sprintf("0-%d", runtime.NumCPU()-1))
	p := startProgram(b, "taskset", "-c", "0", buildProgram(b), "serve", "--demo", "--demo-still", "--data-dir", b.TempDir(),
		"--cache-size", "0", "--guest-rate", "1000000", "--leaderboard-refresh", "0")
	l := &socketLoad{url: p.base + "/v3/player/Salted?fullResult", client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 4000, MaxConnsPerHost: 4000}, Timeout: 10 * time.Second,
	}}
	l.peak(8, 2*time.Second)
	var t turns
	for b.Loop() {
		for range 5 {
			peak := l.peak(8, 3*time.Second)
			flood := l.flood(5*peak, 4*time.Second)
			t.our, t.their, t.ratios = append(t.our, flood), append(t.their, peak), append(t.ratios, flood/peak)
		}
	}
	if len(l.refusal) == 0 {
		b.Fatal("no request was rejected")
	}
	slices.Sort(l.refusal)
	refusal := l.refusal[len(l.refusal)/2].Seconds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(t.our), "good/s")
	b.ReportMetric(median(t.their), "peak/s")
	b.ReportMetric(median(t.ratios), "ratio")
	b.ReportMetric(1000*refusal, "rejection-p50-ms")
	addComparison(comparison{
		"responses at 5 × capacity on one core, sockets", fmt.Sprintf("%.0f/s", median(t.our)),
		fmt.Sprintf("%.0f/s", median(t.their)), median(t.ratios), atLeast(0.8),
	})
	addComparison(comparison{"the rejections there, p50, ms", milliseconds(refusal), "", 1000 * refusal, atMost(50)})
}

// pin binds all threads of this process to cores.
func pin(b *testing.B, cores string) {
	if out, err := exec.CommandContext(b.Context(), "taskset", "-acp", cores, strconv.Itoa(os.Getpid())).
		CombinedOutput(); err != nil {
		b.Skipf("cannot choose a core here: %v %s", err, out)
	}
}
