package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// result is how something ended, as a label.
func result(failed bool) string {
	if failed {
		return "failed"
	}
	return "ok"
}

// store counts the commands to the store.
type store struct {
	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func (s *store) register(m *Metrics) {
	s.total = m.counter("store_commands_total", "Commands to the store, by command, collection and result.", "command",
		"collection", "result")
	s.duration = m.histogram("store_command_duration_seconds", "Time a command to the store took.", quickly, "command",
		"collection")
}

// Command counts a command to the store that is over.
func (m *Metrics) Command(command, collection string, took time.Duration, failed bool) {
	m.store.total.WithLabelValues(command, collection, result(failed)).Inc()
	m.store.duration.WithLabelValues(command, collection).Observe(took.Seconds())
}

// loaders counts batches.
type loaders struct {
	keys   *prometheus.HistogramVec
	failed *prometheus.CounterVec
}

func (l *loaders) register(m *Metrics) {
	l.keys = m.histogram("loader_batch_keys", "Keys of one batch, by loader; its count is that of the batches.",
		[]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, "loader")
	l.failed = m.counter("loader_batches_failed_total", "Batches that failed, by loader.", "loader")
}

// Batch counts a batch that is over.
func (m *Metrics) Batch(loader string, keys int, failed bool) {
	m.loaders.keys.WithLabelValues(loader).Observe(float64(keys))
	if failed {
		m.loaders.failed.WithLabelValues(loader).Inc()
	}
}

// jobs counts what the clock does.
type jobs struct {
	runs    *prometheus.CounterVec
	took    *prometheus.GaugeVec
	success *prometheus.GaugeVec
}

func (j *jobs) register(m *Metrics) {
	j.runs = m.counter("job_runs_total", "Runs of a job by this instance, by result. One instance works at a time.", "job",
		"result")
	j.took = m.gauge("job_duration_seconds", "Time the last run of a job by this instance took.", "job")
	j.success = m.gauge("job_last_success_timestamp_seconds",
		"When a job last succeeded on any instance, as this one last saw it, in seconds since 1970; 0 before the first time.",
		"job")
}

// Job counts a run of a job.
func (m *Metrics) Job(job string, took time.Duration, failed bool) {
	m.jobs.runs.WithLabelValues(job, result(failed)).Inc()
	m.jobs.took.WithLabelValues(job).Set(took.Seconds())
}

// JobSeen tells when a job last succeeded, whoever ran it.
func (m *Metrics) JobSeen(job string, at time.Time) {
	seconds := 0.0
	if !at.IsZero() {
		seconds = float64(at.UnixMilli()) / 1000
	}
	m.jobs.success.WithLabelValues(job).Set(seconds)
}
