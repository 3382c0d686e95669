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

// Metrics are the counters of one service.
type Metrics struct {
	registry *prometheus.Registry
}

// New returns counters at zero. version is told as a label of gamedata_build_info.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "gamedata_build_info", Help: "1, with the version of the program as a label."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(build)
	return m
}

// Handler answers with all metrics in the format Prometheus asks for.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
