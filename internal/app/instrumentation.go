package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gamedata/internal/buildinfo"
	"gamedata/internal/cache"
	"gamedata/internal/config"
	"gamedata/internal/httpapi"
	"gamedata/internal/jobs"
	"gamedata/internal/loadshed"
	"gamedata/internal/telemetry"
	"gamedata/internal/webhook"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// instrumentation connects the packages' hooks to metrics, traces and the access log.
type instrumentation struct {
	metrics *telemetry.Metrics
	access  func(*httpapi.RequestInfo) // nil without an access log
	tracer  *telemetry.Tracer          // nil without a collector
}

func newInstrumentation(c *config.AccessLog, log *slog.Logger) instrumentation {
	w := instrumentation{metrics: telemetry.NewMetrics(buildinfo.Version)}
	if log.Enabled(context.Background(), slog.LevelInfo) {
		w.access = httpapi.AccessLog(log, httpapi.LogOptions{Every: c.Every(), Addresses: c.Addresses})
	}
	return w
}

// request records a finished request.
func (w instrumentation) request(o *httpapi.RequestInfo) {
	w.metrics.ObserveRequest(telemetry.Request{
		API: o.API, Operation: o.Label, Status: o.Status, Duration: o.Duration, Bytes: o.Bytes, Cache: o.Cache,
		Bucket: o.Bucket, Stream: o.Stream,
	})
	if w.tracer != nil {
		w.tracer.Request(o.Request.Context(), o.API, o.Label, o.Cache)
	}
	if w.access != nil {
		w.access(o)
	}
}

func (w instrumentation) command(ctx context.Context, command, collection string) func(time.Duration, error) {
	end := func(error) {}
	if w.tracer != nil {
		end = w.tracer.Command(ctx, command, collection)
	}
	return func(took time.Duration, failure error) {
		loaders.AddStoreTime(ctx, took)
		end(failure)
		w.metrics.ObserveCommand(command, collection, took, failure)
	}
}

// transaction counts a finished transaction of the store.
func (w instrumentation) transaction(repeats int, err error) {
	if w.metrics != nil {
		w.metrics.ObserveTransaction(repeats, err)
	}
}

// malformed counts a record of the store that could not be decoded.
func (w instrumentation) malformed(collection, _ string) { w.metrics.ObserveMalformed(collection) }

// batch records a batch of a loader.
func (w instrumentation) batch(ctx context.Context, loader string, keys int) (context.Context, func(error)) {
	end := func(error) {}
	if w.tracer != nil {
		ctx, end = w.tracer.Batch(ctx, loader, keys)
	}
	return ctx, func(failure error) {
		end(failure)
		w.metrics.ObserveBatch(loader, keys, failure)
	}
}

// field returns the hook for root fields; nil without a tracer.
func (w instrumentation) field() func(context.Context, string) (context.Context, func()) {
	if w.tracer == nil {
		return nil
	}
	return w.tracer.Field
}

// addGauges registers metrics that are read at every scrape: circuit breakers, load shedding and caches.
func (w instrumentation) addGauges(store *mongo.Store, counters *Counters, limiter *loadshed.Limiter, c *caches) {
	m := w.metrics
	m.AddGauge("store_circuit_open",
		"1 while the circuit breaker rejects store commands, 0.5 while it tries one, else 0.", func() float64 {
			return map[string]float64{"open": 1, "half-open": 0.5}[store.Circuit()]
		})
	flag := func(name, help string, is func() bool) {
		m.AddGauge(name, help, func() float64 { return map[bool]float64{true: 1}[is()] })
	}
	flag("store_refuses_writes", "1 if the store refused a write in the last minute, else 0.", store.RefusesWrites)
	flag("store_damaged", "1 if the file of the embedded store was found to be damaged, else 0.", store.Damaged)
	if counters.Redis != nil {
		flag("redis_up", "1 while rate limits are counted in Redis, 0 while this instance counts by itself.",
			counters.Redis.Shared)
	}
	m.AddGauge("operations_running", "Operations that are running.",
		func() float64 { return float64(limiter.Stats().Running) })
	m.AddGauge("operations_waiting", "Operations that are queued.",
		func() float64 { return float64(limiter.Stats().Waiting) })
	m.AddGauge("operations_limit", "Operations that may run at once.",
		func() float64 { return float64(limiter.Stats().MaxConcurrent) })
	m.AddCounter("operations_rejected_total", "Operations rejected with 503 because the queue was full.",
		func() float64 { return float64(limiter.Stats().Rejected) })
	if c.responses == nil {
		return
	}
	for name, state := range map[string]func() cache.Stats{"response": c.responses.Stats, "record": c.records.Stats} {
		m.AddGauge(name+"_cache_bytes", "Bytes of cached "+name+"s.",
			func() float64 { return float64(state().Bytes) })
		m.AddCounter(name+"_cache_evictions_total", "Cached "+name+"s evicted before expiry.",
			func() float64 { return float64(state().Evicted) })
	}
}

// addStreams registers the numbers of open streams, sent events and webhooks.
func (w instrumentation) addStreams(s *httpapi.Streams, r *webhook.Runner) {
	w.metrics.AddGauge("streams", "Open streams of events and WebSockets.",
		func() float64 { return float64(s.Open()) })
	w.metrics.AddCounter("stream_events_total", "Events sent to streams.",
		func() float64 { return float64(s.Delivered()) })
	w.metrics.AddGauge("webhooks", "Webhooks that this instance delivers to: one instance delivers to all.",
		func() float64 { return float64(r.Active()) })
}

// addDisk registers the free space on the disk of an embedded store, if the system knows it.
func (w instrumentation) addDisk(dir string) {
	if _, known := embedded.DiskSpace(dir); !known {
		return
	}
	w.metrics.AddGauge("disk_free_bytes", "Bytes free on the disk of the embedded store.", func() float64 {
		free, _ := embedded.DiskSpace(dir)
		return float64(free)
	})
}

// jobDone records a finished job.
func (w instrumentation) jobDone(name string, took time.Duration, failure error) {
	if !errors.Is(failure, mongo.ErrBusy) {
		w.metrics.ObserveJob(name, took, failure)
	}
}

// jobState records when any instance last ran each job. counted is the time of the last statistics, recorded of the
// last history.
func (w instrumentation) jobState(s jobs.State, counted, recorded time.Time) {
	w.metrics.SetJobSuccess("leaderboards", s.RefreshedAt)
	w.metrics.SetJobSuccess("ranks", s.RanksAt)
	w.metrics.SetJobSuccess("statistics", counted)
	w.metrics.SetJobSuccess("history", recorded)
	w.metrics.SetJobSuccess("sweep", s.SweptAt)
}
