package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/internal/jobs"
	"gamedata/internal/loadshed"
	"gamedata/internal/telemetry"
	"gamedata/loaders"
	"gamedata/mongo"
)

// watchFlags say what is told of requests.
type watchFlags struct {
	accessLog string
	addresses bool
}

// sampleEvery is how many requests one line of a sampled access log stands for.
const sampleEvery = 100

var accessLogs = map[string]int{"off": 0, "sampled": sampleEvery, "on": 1}

func (f *watchFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.accessLog, "access-log", "on",
		"a log line for each request: on, sampled (one in 100, and each that is slow or failed here) or off")
	flags.BoolVar(&f.addresses, "access-log-addresses", false, "tell the address of whoever asks in the access log")
}

func (f *watchFlags) check() error {
	if _, ok := accessLogs[f.accessLog]; !ok {
		return usageError{errors.New("--access-log must be on, sampled or off")}
	}
	return nil
}

// watcher hands what rooms tell of their work to those who want to know. The zero value
// tells nobody.
type watcher struct {
	metrics *telemetry.Metrics // nil when nobody can read them
	access  func(httpapi.Observed)
	tracer  *telemetry.Tracer // nil when no collector is named
}

func (f *watchFlags) watcher(read bool, log *slog.Logger) watcher {
	w := watcher{}
	if log.Enabled(context.Background(), slog.LevelInfo) {
		w.access = httpapi.AccessLog(log, httpapi.LogOptions{Every: accessLogs[f.accessLog], Addresses: f.addresses})
	}
	if read {
		w.metrics = telemetry.NewMetrics(buildVersion())
	}
	return w
}

// request is told of requests; nil when nobody wants to know.
func (w watcher) request() func(httpapi.Observed) {
	m, access, tracer := w.metrics, w.access, w.tracer
	if m == nil && tracer == nil {
		return access
	}
	return func(o httpapi.Observed) {
		if m != nil {
			m.ObserveRequest(telemetry.Request{
				API: o.Door, Operation: o.Label, Status: o.Status, Duration: o.Took, Bytes: o.Bytes, Cache: o.Cache,
				Bucket: o.Bucket,
			})
		}
		if tracer != nil {
			tracer.Request(o.Request.Context(), o.Door, o.Label, o.Cache)
		}
		if access != nil {
			access(o)
		}
	}
}

// command is told of commands to the store.
func (w watcher) command(ctx context.Context, command, collection string) func(time.Duration, error) {
	end := func(error) {}
	if w.tracer != nil {
		end = w.tracer.Command(ctx, command, collection)
	}
	return func(took time.Duration, failure error) {
		loaders.Spend(ctx, took)
		end(failure)
		if w.metrics != nil {
			w.metrics.ObserveCommand(command, collection, took, failure)
		}
	}
}

// batch is told of batches; nil when nobody wants to know.
func (w watcher) batch() func(context.Context, string, int) (context.Context, func(error)) {
	if w.metrics == nil && w.tracer == nil {
		return nil
	}
	return func(ctx context.Context, loader string, keys int) (context.Context, func(error)) {
		end := func(error) {}
		if w.tracer != nil {
			ctx, end = w.tracer.Batch(ctx, loader, keys)
		}
		return ctx, func(failure error) {
			end(failure)
			if w.metrics != nil {
				w.metrics.ObserveBatch(loader, keys, failure)
			}
		}
	}
}

// field is told of root fields; nil when nobody wants to know.
func (w watcher) field() func(context.Context, string) (context.Context, func()) {
	if w.tracer == nil {
		return nil
	}
	return w.tracer.Field
}

// states adds what is read when somebody asks: whether store and Redis are taken for lost, how
// full the gate of operations is, and how full the caches are.
func (w watcher) states(store *mongo.Store, counters *counting, gate *loadshed.Gate, kept *caches) {
	if w.metrics == nil {
		return
	}
	m := w.metrics
	m.AddGauge("store_circuit_open",
		"1 while the circuit breaker rejects store commands, 0.5 while it tries one, else 0.", func() float64 {
			return map[string]float64{"open": 1, "half-open": 0.5}[store.Circuit()]
		})
	if counters.shared != nil {
		m.AddGauge("redis_up", "1 while rate limits are counted in Redis, 0 while this instance counts by itself.",
			func() float64 { return map[bool]float64{true: 1}[counters.shared.Shared()] })
	}
	m.AddGauge("operations_running", "Operations that are running.",
		func() float64 { return float64(gate.State().Working) })
	m.AddGauge("operations_waiting", "Operations that are queued.",
		func() float64 { return float64(gate.State().Waiting) })
	m.AddGauge("operations_limit", "Operations that may run at once.",
		func() float64 { return float64(gate.State().Places) })
	m.AddCounter("operations_rejected_total", "Operations rejected with 503 because the queue was full.",
		func() float64 {
			rejected := gate.State().TurnedAway
			return float64(rejected.Light + rejected.Heavy)
		})
	if kept.answers == nil {
		return
	}
	for name, state := range map[string]func() cache.State{"response": kept.answers.State, "record": kept.records.State} {
		m.AddGauge(name+"_cache_bytes", "Bytes of cached "+name+"s.",
			func() float64 { return float64(state().Bytes) })
		m.AddCounter(name+"_cache_evictions_total", "Cached "+name+"s evicted before expiry.",
			func() float64 { return float64(state().Evicted) })
	}
}

// job is told of jobs that ran.
func (w watcher) job(name string, took time.Duration, failure error) {
	if w.metrics != nil && !errors.Is(failure, mongo.ErrBusy) {
		w.metrics.ObserveJob(name, took, failure)
	}
}

// seen is told how far the jobs of all instances are.
func (w watcher) seen(s jobs.State) {
	if w.metrics != nil {
		w.metrics.SetJobSuccess("leaderboards", s.RefreshedAt)
		w.metrics.SetJobSuccess("ranks", s.RanksAt)
		w.metrics.SetJobSuccess("sweep", s.SweptAt)
	}
}
