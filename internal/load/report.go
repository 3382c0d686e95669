package load

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Report is the result of a load. Times are in seconds.
type Report struct {
	Target  string         `json:"target"`
	Began   time.Time      `json:"began"`
	Seconds float64        `json:"seconds"` // until the last response
	Classes []ClassReport  `json:"classes"`
	Total   ClassReport    `json:"total"`
	Streams []StreamReport `json:"streams"`
}

// ClassReport is the result of a class.
type ClassReport struct {
	Name string `json:"name"`
	// WantedRate and AchievedRate are requests per second, the latter those with a response.
	WantedRate   float64 `json:"wantedRate"`
	AchievedRate float64 `json:"achievedRate"`
	// Requests that were sent.
	Requests int            `json:"requests"`
	Statuses map[string]int `json:"statuses"`
	// Latency is measured from when a request was to be sent until its body was read.
	Latency Latency `json:"latency"`
	// Late is how long after its time a request was sent: if it is not small, the program is short of CPU time.
	Late Latency `json:"late"`
	// Bytes of the bodies, as sent.
	Bytes            int64   `json:"bytes"`
	NotModifiedShare float64 `json:"notModifiedShare"`
	TooManyRequests  int     `json:"tooManyRequests"`
	// Withheld counts requests that were not sent because every caller waited for quota or for its last response.
	Withheld int `json:"withheld"`
	// Errors by kind: of the connection, statuses of 400 or more except 429, and codes of GraphQL.
	Errors map[string]int `json:"errors"`
}

// Latency is a distribution of times in seconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// ErrorShare is the share of the requests that failed.
func (c *ClassReport) ErrorShare() float64 {
	n := 0
	for _, count := range c.Errors {
		n += count
	}
	return share(n, c.Requests)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func seconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e6 }

// duration shows a time with three digits.
func duration(s float64) string {
	d := time.Duration(s * float64(time.Second))
	for _, unit := range []time.Duration{time.Second, time.Millisecond} {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.Round(time.Microsecond).String()
}

// recorder counts the results of a class.
type recorder struct {
	mu        sync.Mutex
	out       ClassReport
	responses int
	latency   vegeta.LatencyMetrics
	late      vegeta.LatencyMetrics
}

func newRecorder(name string, rate float64) *recorder {
	return &recorder{out: ClassReport{
		Name: name, WantedRate: rate, Statuses: map[string]int{}, Errors: map[string]int{},
	}}
}

// add counts a result.
func (r *recorder) add(result *vegeta.Result, intended time.Time) {
	kind := errorKind(result)
	r.mu.Lock()
	defer r.mu.Unlock()
	if result.Code == 0 && result.Error == withheld {
		r.out.Withheld++
		return
	}
	r.out.Requests++
	r.late.Add(result.Timestamp.Sub(intended))
	r.latency.Add(result.End().Sub(intended))
	r.out.Bytes += int64(result.BytesIn)
	if result.Code != 0 {
		r.responses++
		r.out.Statuses[strconv.Itoa(int(result.Code))]++
	}
	if kind != "" {
		r.out.Errors[kind]++
	}
}

// errorKind names what is wrong with a result; empty if nothing is.
func errorKind(r *vegeta.Result) string {
	switch {
	case r.Code == http.StatusTooManyRequests:
		return ""
	case r.Code == http.StatusOK && r.Error == "" && strings.HasSuffix(r.URL, "/graphql"):
		return graphQLError(r)
	case r.Code < http.StatusBadRequest && r.Error != "": // the last part is that of the system or of net/http
		return lastPart(r.Error)
	case r.Code >= http.StatusBadRequest:
		return "status " + strconv.Itoa(int(r.Code))
	}
	return ""
}

// lastPart returns what an error ends with.
func lastPart(text string) string {
	parts := strings.Split(text, ": ")
	return parts[len(parts)-1]
}

// graphQLError returns the code of the first error of a GraphQL response; empty if there is none.
func graphQLError(r *vegeta.Result) string {
	body := r.Body
	if r.Headers.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(z)
		}
		if err != nil {
			return "invalid gzip"
		}
	}
	if !bytes.Contains(body, []byte(`"errors"`)) { // most have none
		return ""
	}
	var failed struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.Unmarshal(body, &failed); err != nil {
		return "invalid JSON"
	}
	if len(failed.Errors) == 0 {
		return ""
	}
	return "GraphQL " + failed.Errors[0].Extensions.Code
}

func (r *recorder) report(seconds float64) ClassReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.out
	if seconds > 0 {
		c.AchievedRate = float64(r.responses) / seconds
	}
	c.Latency, c.Late = distribution(&r.latency), distribution(&r.late)
	c.NotModifiedShare = share(c.Statuses["304"], r.responses)
	c.TooManyRequests = c.Statuses["429"]
	return c
}

func distribution(m *vegeta.LatencyMetrics) Latency {
	if m.Max == 0 { // nothing was added, and the estimator has no quantiles
		return Latency{}
	}
	at := func(q float64) float64 { return seconds(min(m.Quantile(q), m.Max)) }
	return Latency{P50: at(0.5), P90: at(0.9), P99: at(0.99), Max: seconds(m.Max)}
}

// Print writes a report as tables.
func (r *Report) Print(to io.Writer) error {
	if len(r.Classes) > 0 {
		if err := r.printClasses(to); err != nil {
			return err
		}
		if len(r.Streams) > 0 {
			fmt.Fprintln(to)
		}
	}
	return r.printStreams(to)
}

func (r *Report) printClasses(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "class\twanted/s\tachieved/s\tp50\tp90\tp99\tmax\tlate p99\tbytes\t304\t429\twithheld\terrors")
	all := append(slices.Clone(r.Classes), r.Total)
	for _, c := range all {
		l := c.Latency
		failed := 0
		for _, n := range c.Errors {
			failed += n
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f %%\t%d\t%d\t%d\n", c.Name, c.WantedRate, c.AchievedRate,
			duration(l.P50), duration(l.P90), duration(l.P99), duration(l.Max), duration(c.Late.P99),
			humanize.IBytes(uint64(c.Bytes)), 100*c.NotModifiedShare, c.TooManyRequests, c.Withheld, failed)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(to, "\n%d requests in %s: %s\n", r.Total.Requests, duration(r.Seconds), counts(r.Total.Statuses))
	for _, c := range r.Classes {
		if len(c.Errors) > 0 {
			fmt.Fprintf(to, "errors of %s: %s\n", c.Name, counts(c.Errors))
		}
	}
	return nil
}

func (r *Report) printStreams(to io.Writer) error {
	if len(r.Streams) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "streams\tconnections\topened\tevents\trepeated\tgaps\terrors")
	for _, s := range r.Streams {
		failed := "0"
		if len(s.Errors) > 0 {
			failed = counts(s.Errors)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", s.Name, s.Connections, s.Opened, s.Events, s.Repeated, s.Gaps, failed)
	}
	return w.Flush()
}

// counts lists numbers by name, sorted.
func counts(of map[string]int) string {
	parts := make([]string, 0, len(of))
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s × %d", name, of[name]))
	}
	if len(parts) == 0 {
		return "no responses"
	}
	return strings.Join(parts, ", ")
}
