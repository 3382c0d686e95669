// Package metrics counts what the service does, for Prometheus. The rooms that do it know
// nothing of it: each calls a function it was handed. Every label has a set of values that is
// known beforehand and small; what callers write never becomes one.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace begins the name of every metric of ours.
const namespace = "gamedata"

// Metrics are the counters of one service. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests requests
	store    store
	loaders  loaders
	jobs     jobs
}

// New returns counters at zero. version is told as a label of gamedata_build_info.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("build_info", "1, with the version of the program as a label.", "version").WithLabelValues(version).Set(1)
	m.requests.register(m)
	m.store.register(m)
	m.loaders.register(m)
	m.jobs.register(m)
	return m
}

// Handler answers with all metrics in the format Prometheus asks for.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Watch adds a value that is read when Prometheus asks; a counter never falls.
func (m *Metrics) Watch(name, help string, counter bool, read func() float64) {
	if counter {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: namespace, Name: name,
			Help: help,
		}, read))
		return
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help},
		read))
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Name: name, Help: help,
		Buckets: buckets,
	}, labels)
	m.registry.MustRegister(v)
	return v
}
