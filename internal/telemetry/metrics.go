package telemetry

import (
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace prefixes the name of every metric.
const namespace = "gamedata"

// durationBuckets are histogram bounds in seconds, from a cache hit to the longest operation.
var durationBuckets = []float64{.0001, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}

// statusClasses and cacheResults list the values of the labels "status" and "result".
var (
	statusClasses = [6]string{"other", "1xx", "2xx", "3xx", "4xx", "5xx"}
	cacheResults  = []string{"hit", "miss", "stale"}
)

// Metrics holds the Prometheus metrics of one service. It is safe for concurrent use. Every label has a few fixed
// values, never text from a caller.
type Metrics struct {
	registry *prometheus.Registry
	factory  promauto.Factory

	requests  *prometheus.CounterVec
	bytes     *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	cache     *prometheus.CounterVec
	decisions *prometheus.CounterVec

	malformed       *prometheus.CounterVec
	commands        *prometheus.CounterVec
	commandDuration *prometheus.HistogramVec
	transactions    *prometheus.CounterVec
	batchKeys       *prometheus.HistogramVec
	batchesFailed   *prometheus.CounterVec
	feedEvents      *prometheus.CounterVec
	streamEnds      *prometheus.CounterVec
	streamLag       prometheus.Observer
	webhookAttempts *prometheus.CounterVec
	webhookLag      prometheus.Observer
	jobRuns         *prometheus.CounterVec
	jobDuration     *prometheus.GaugeVec
	jobSuccess      *prometheus.GaugeVec

	mu         sync.RWMutex
	operations map[operation]*operationMetrics
}

// operation is an API ("graphql", "rest", "other") and the name of an operation.
type operation struct{ api, name string }

// operationMetrics caches the metrics of one operation: a lookup by label would hash the labels for each request.
type operationMetrics struct {
	byStatus [len(statusClasses)]prometheus.Counter
	bytes    prometheus.Counter
	duration prometheus.Observer
	cache    map[string]prometheus.Counter
}

// NewMetrics returns metrics at zero; version becomes a label of gamedata_build_info.
func NewMetrics(version string) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := &Metrics{registry: registry, factory: promauto.With(registry), operations: map[operation]*operationMetrics{}}
	m.gauge("build_info", "1, with the program's version as a label.", "version").WithLabelValues(version).Set(1)

	m.requests = m.counter("requests_total", "Finished requests, by API, operation and status class.",
		"api", "operation", "status")
	m.bytes = m.counter("response_bytes_total", "Bytes of response bodies, as sent.", "api", "operation")
	m.duration = m.histogram("request_duration_seconds",
		"Seconds from reading a request's headers to the end of its response.", durationBuckets, "api", "operation")
	m.cache = m.counter("response_cache_requests_total",
		"Requests for cacheable responses, by cache result: hit, miss, or stale while the store fails.",
		"api", "operation", "result")
	m.decisions = m.counter("limiter_decisions_total",
		"Rate-limit decisions, by the bucket that the response headers report: allowed or rejected.",
		"bucket", "decision")

	m.commands = m.counter("store_commands_total", "Store commands, by command, collection and result.",
		"command", "collection", "result")
	m.commandDuration = m.histogram("store_command_duration_seconds", "Seconds a store command took.",
		durationBuckets, "command", "collection")
	m.transactions = m.counter("store_transactions_total",
		"Runs of store transactions, by result: committed, aborted, or repeated after a conflict with another one.",
		"result")
	for _, result := range []string{"committed", "aborted", "repeated"} {
		m.transactions.WithLabelValues(result)
	}
	m.malformed = m.counter("malformed_records_total",
		"Records of the store that could not be decoded and were left out, counted at every read, by collection.",
		"collection")
	m.batchKeys = m.histogram("loader_batch_keys", "Keys per batch, by loader; the count is the number of batches.",
		[]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, "loader")
	m.batchesFailed = m.counter("loader_batches_failed_total", "Failed batches, by loader.", "loader")
	m.feedEvents = m.counter("feed_events_total",
		"Events that game servers sent, by event and result: applied, duplicate or rejected.", "event", "result")
	m.streamEnds = m.counter("streams_ended_total",
		"Streams and subscriptions that ended, by reason: CLIENT_LEFT, or why the service ended them.", "reason")
	m.streamLag = m.histogram("stream_lag_seconds",
		"Seconds that events waited for the client of a stream, once read from the log.",
		[]float64{.01, .1, .5, 1, 2, 5, 10, 20, 30}).WithLabelValues()
	m.webhookAttempts = m.counter("webhook_attempts_total",
		"Attempts to deliver an event to a webhook, by result: delivered or failed.", "result")
	m.webhookLag = m.histogram("webhook_lag_seconds", "Seconds from recording an event to its delivery to a webhook.",
		[]float64{.5, 1, 2, 5, 10, 30, 60, 300, 1800, 3600, 21600, 86400}).WithLabelValues()
	// The label "job" is taken: Prometheus sets it to the name of the scrape.
	m.jobRuns = m.counter("job_runs_total", "Job runs by this instance, by result. One instance runs a job at a time.",
		"job_name", "result")
	m.jobDuration = m.gauge("job_duration_seconds", "Seconds the job's last run by this instance took.", "job_name")
	m.jobSuccess = m.gauge("job_last_success_timestamp_seconds",
		"Unix time of the job's last success on any instance, as last read by this one; 0 if there was none.",
		"job_name")
	return m
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	return m.factory.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return m.factory.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return m.factory.NewHistogramVec(
		prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// AddGauge registers a gauge whose value is read at each scrape.
func (m *Metrics) AddGauge(name, help string, read func() float64) {
	m.factory.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, read)
}

// AddCounter registers a counter whose value is read at each scrape.
func (m *Metrics) AddCounter(name, help string, read func() float64) {
	m.factory.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, read)
}

// Handler serves all metrics in the format that the scraper accepts.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Request is a finished request.
type Request struct {
	API       string // "graphql", "rest" or "other"
	Operation string // the fixed operation or the root field, never a caller's name
	Status    int
	Duration  time.Duration
	Bytes     int64  // of the body, as sent
	Cache     string // "hit", "miss", "stale", or empty if the response is not cacheable
	Bucket    string // the rate-limit bucket that the headers report, if any
	Stream    bool   // open as long as the client listened
}

// ObserveRequest counts a finished request.
func (m *Metrics) ObserveRequest(r Request) {
	o := m.operation(operation{r.API, r.Operation})
	class := r.Status / 100
	if class < 1 || class > 5 {
		class = 0
	}
	o.byStatus[class].Inc()
	o.bytes.Add(float64(r.Bytes))
	if !r.Stream {
		o.duration.Observe(r.Duration.Seconds())
	}
	if c := o.cache[r.Cache]; c != nil {
		c.Inc()
	}
	if r.Bucket != "" {
		decision := "allowed"
		if r.Status == http.StatusTooManyRequests {
			decision = "rejected"
		}
		m.decisions.WithLabelValues(r.Bucket, decision).Inc()
	}
}

// operation returns the metrics of an operation, creating them on first use.
func (m *Metrics) operation(op operation) *operationMetrics {
	m.mu.RLock()
	o := m.operations[op]
	m.mu.RUnlock()
	if o != nil {
		return o
	}
	o = &operationMetrics{
		bytes:    m.bytes.WithLabelValues(op.api, op.name),
		duration: m.duration.WithLabelValues(op.api, op.name),
		cache:    map[string]prometheus.Counter{},
	}
	for i, class := range statusClasses {
		o.byStatus[i] = m.requests.WithLabelValues(op.api, op.name, class)
	}
	for _, result := range cacheResults {
		o.cache[result] = m.cache.WithLabelValues(op.api, op.name, result)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.operations[op] = o
	return o
}

// ObserveCommand counts a finished store command.
func (m *Metrics) ObserveCommand(command, collection string, took time.Duration, err error) {
	m.commands.WithLabelValues(command, collection, result(err)).Inc()
	m.commandDuration.WithLabelValues(command, collection).Observe(took.Seconds())
}

// ObserveTransaction counts a finished transaction and how often conflicts made it repeat.
func (m *Metrics) ObserveTransaction(repeats int, err error) {
	result := "committed"
	if err != nil {
		result = "aborted"
	}
	m.transactions.WithLabelValues(result).Inc()
	m.transactions.WithLabelValues("repeated").Add(float64(max(repeats, 0)))
}

// ObserveMalformed counts a record that could not be decoded.
func (m *Metrics) ObserveMalformed(collection string) { m.malformed.WithLabelValues(collection).Inc() }

// ObserveBatch counts a finished batch of a loader.
func (m *Metrics) ObserveBatch(loader string, keys int, err error) {
	m.batchKeys.WithLabelValues(loader).Observe(float64(keys))
	if err != nil {
		m.batchesFailed.WithLabelValues(loader).Inc()
	}
}

// ObserveFeedEvent counts an event from a game server. event is the name of a known event, or "unknown".
func (m *Metrics) ObserveFeedEvent(event, result string) {
	m.feedEvents.WithLabelValues(event, result).Inc()
}

// ObserveStreamEnd counts an ended stream of events.
func (m *Metrics) ObserveStreamEnd(reason string) { m.streamEnds.WithLabelValues(reason).Inc() }

// ObserveStreamLag records how long an event waited for the client of a stream.
func (m *Metrics) ObserveStreamLag(lag time.Duration) { m.streamLag.Observe(lag.Seconds()) }

// ObserveWebhook counts an attempt to deliver an event to a webhook. lag is the time since the event was recorded.
func (m *Metrics) ObserveWebhook(delivered bool, lag time.Duration) {
	if !delivered {
		m.webhookAttempts.WithLabelValues("failed").Inc()
		return
	}
	m.webhookAttempts.WithLabelValues("delivered").Inc()
	m.webhookLag.Observe(lag.Seconds())
}

// ObserveJob counts a job run of this instance.
func (m *Metrics) ObserveJob(job string, took time.Duration, err error) {
	m.jobRuns.WithLabelValues(job, result(err)).Inc()
	m.jobDuration.WithLabelValues(job).Set(took.Seconds())
}

// SetJobSuccess records when a job last succeeded on any instance; the zero time means never.
func (m *Metrics) SetJobSuccess(job string, at time.Time) {
	seconds := 0.0
	if !at.IsZero() {
		seconds = float64(at.UnixMilli()) / 1000
	}
	m.jobSuccess.WithLabelValues(job).Set(seconds)
}

func result(err error) string {
	if err != nil {
		return "failed"
	}
	return "ok"
}
