// Package load sends a mix of requests to a service at a constant rate and reports how it responded. The rate does not
// depend on the responses, and latencies count from when a request was to be sent: a service that pauses is measured
// as its callers see it, not as the ones that still get through.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Limits of Options.
const (
	MinRate     = 0.1
	MaxRate     = 100_000
	MinDuration = time.Second
	MaxDuration = 24 * time.Hour
)

const (
	// maxInFlight bounds the requests in flight of all classes. Beyond it requests are sent late, which counts as
	// latency.
	maxInFlight = 10_000
	// grace is how long requests in flight may take after ctx ended.
	grace = 2 * time.Second
)

// Options of a load.
type Options struct {
	// Target is the URL of the service, such as https://data.example.
	Target string
	Mix    *Mix
	// Rate is the number of requests per second of all classes.
	Rate     float64
	Duration time.Duration
	// Callers is the number of clients of each class. With more than one, requests have an X-Forwarded-For of each.
	Callers int
	// Timeout is the time limit of a request with its body.
	Timeout time.Duration
	// Seed chooses players, guilds, paths and queries.
	Seed uint64
	// Settle is how long streams may take, after the load, to receive what others received; 5 s when 0.
	Settle time.Duration
}

// Run reads names from the target and then sends requests until the duration is over or ctx ends. Ending early is no
// error. An error means that nothing was sent.
func Run(ctx context.Context, o Options) (*Report, error) {
	target := strings.TrimSuffix(o.Target, "/")
	names, err := readNames(ctx, target, o.Mix)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConns: maxInFlight, MaxIdleConnsPerHost: maxInFlight,
		IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true, DisableCompression: true,
	}
	defer transport.CloseIdleConnections()
	inFlight, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()

	shares := 0.0
	for _, c := range o.Mix.Classes {
		shares += c.Share
	}
	streaming, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	var ended sync.WaitGroup
	followed := make([]*streams, len(o.Mix.Streams))
	for i := range o.Mix.Streams {
		followed[i] = newStreams(&o.Mix.Streams[i], target, transport, o.Callers)
		ended.Go(func() { followed[i].run(streaming) })
	}
	total := newRecorder("total", 0)
	if len(o.Mix.Classes) > 0 {
		total.out.WantedRate = o.Rate
	}
	recorders := make([]*recorder, len(o.Mix.Classes))
	began := time.Now()
	var done sync.WaitGroup
	for i := range o.Mix.Classes {
		c := &o.Mix.Classes[i]
		rate := o.Rate * c.Share / shares
		t := &traffic{
			class: c, target: target, names: names, callers: newCallers(o.Callers, i*o.Callers, time.Now),
			timeout: o.Timeout, ctx: inFlight, send: transport,
			random: rand.New(rand.NewPCG(o.Seed, uint64(i))), etags: map[string]string{},
		}
		recorders[i] = newRecorder(c.Name, rate)
		done.Go(func() {
			s := newSchedule(ctx, rate, o.Duration, i, len(o.Mix.Classes))
			attacker := vegeta.NewAttacker(vegeta.Client(&http.Client{
				Transport:     t,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			}), vegeta.MaxWorkers(uint64(max(1, maxInFlight*c.Share/shares))))
			for r := range attacker.Attack(t.next, s, 0, "") {
				if r.Error != "" && inFlight.Err() != nil {
					continue // ended by us
				}
				recorders[i].add(r, s.intended(r.Seq))
				total.add(r, s.intended(r.Seq))
			}
		})
	}
	if len(followed) > 0 { // as long as the requests, which may be none
		done.Go(func() {
			select {
			case <-time.After(o.Duration):
			case <-ctx.Done():
			}
		})
	}
	done.Wait()
	report := &Report{
		Target: o.Target, Began: began.UTC(), Seconds: seconds(time.Since(began)), Classes: []ClassReport{},
		Streams: []StreamReport{},
	}
	for _, r := range recorders {
		report.Classes = append(report.Classes, r.report(report.Seconds))
	}
	report.Total = total.report(report.Seconds)
	settle, cancelSettle := context.WithTimeout(streaming, cmp.Or(o.Settle, defaultSettle))
	defer cancelSettle()
	for _, s := range followed {
		s.await(settle)
	}
	endStreams()
	ended.Wait()
	for _, s := range followed {
		report.Streams = append(report.Streams, s.out)
	}
	return report, nil
}

// Check returns what a report misses of a share of errors and of a p99; a maximum of 0 for the latter is none.
func (r *Report) Check(maxErrorRate float64, maxP99 time.Duration) error {
	if r.Total.Requests == 0 && len(r.Classes) > 0 {
		return errors.New("no request was sent")
	}
	if share := r.Total.ErrorShare(); share > maxErrorRate {
		return fmt.Errorf("%.3g of the requests failed, the maximum is %g", share, maxErrorRate)
	}
	if p99 := r.Total.Latency.P99; maxP99 > 0 && p99 > maxP99.Seconds() {
		return fmt.Errorf("the p99 is %s, the maximum is %s", duration(p99), maxP99)
	}
	return nil
}
