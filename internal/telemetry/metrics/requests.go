package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// quickly are the bounds of durations, in seconds: answers from memory to the longest run.
var quickly = []float64{.0001, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}

// requests counts what came through the doors.
type requests struct {
	total    *prometheus.CounterVec
	bytes    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	cache    *prometheus.CounterVec
	limiter  *prometheus.CounterVec

	mu    sync.RWMutex
	known map[operation]*counted
}

// operation is what requests are told apart by.
type operation struct{ door, name string }

// counted is the counters of one operation, found once.
type counted struct {
	byStatus [6]prometheus.Counter // by hundreds
	bytes    prometheus.Counter
	duration prometheus.Observer
	cache    map[string]prometheus.Counter
}

// classes are the statuses as a label.
var classes = [6]string{"other", "1xx", "2xx", "3xx", "4xx", "5xx"}

// outcomes are what the cache had, as a label; answers that are never kept count as none.
var outcomes = []string{"hit", "miss", "stale"}

func (q *requests) register(m *Metrics) {
	q.total = m.counter("requests_total", "Requests that are over, by door, operation and class of status.", "door",
		"operation", "status")
	q.bytes = m.counter("response_bytes_total", "Bytes of bodies, as sent.", "door", "operation")
	q.duration = m.histogram("request_duration_seconds", "Time from the headers of a request to the end of its answer.",
		quickly, "door", "operation")
	q.cache = m.counter("answer_cache_requests_total",
		"Requests for answers that are kept, by what the cache had: hit, miss, or stale when the store failed.", "door",
		"operation", "result")
	q.limiter = m.counter("limiter_decisions_total",
		"Requests by the bucket their headers tell of and what the limiter decided: passed or refused.", "bucket", "decision")
	q.known = map[operation]*counted{}
}

// Request counts a request that is over. operation and bucket are of ours, never what a caller
// wrote; cache is hit, miss, stale or empty.
func (m *Metrics) Request(door, name string, status int, took time.Duration, bytes int64, cache, bucket string) {
	c := m.requests.of(operation{door, name})
	class := status / 100
	if class < 1 || class > 5 {
		class = 0
	}
	c.byStatus[class].Inc()
	c.bytes.Add(float64(bytes))
	c.duration.Observe(took.Seconds())
	if hits := c.cache[cache]; hits != nil {
		hits.Inc()
	}
	if bucket != "" {
		decision := "passed"
		if status == 429 {
			decision = "refused"
		}
		m.requests.limiter.WithLabelValues(bucket, decision).Inc()
	}
}

// of finds the counters of an operation, made when it is asked for first.
func (q *requests) of(op operation) *counted {
	q.mu.RLock()
	c := q.known[op]
	q.mu.RUnlock()
	if c != nil {
		return c
	}
	c = &counted{
		bytes: q.bytes.WithLabelValues(op.door, op.name), duration: q.duration.WithLabelValues(op.door, op.name),
		cache: map[string]prometheus.Counter{},
	}
	for i, class := range classes {
		c.byStatus[i] = q.total.WithLabelValues(op.door, op.name, class)
	}
	for _, outcome := range outcomes {
		c.cache[outcome] = q.cache.WithLabelValues(op.door, op.name, outcome)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.known[op] = c
	return c
}
