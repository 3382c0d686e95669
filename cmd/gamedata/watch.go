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
	"gamedata/internal/telemetry/metrics"
	"gamedata/internal/telemetry/trace"
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
	metrics *metrics.Metrics // nil when nobody can read them
	access  func(httpapi.Observed)
	tracer  *trace.Tracer // nil when no collector is named
}

func (f *watchFlags) watcher(read bool, log *slog.Logger) watcher {
	w := watcher{}
	if log.Enabled(context.Background(), slog.LevelInfo) {
		w.access = httpapi.AccessLog(log, httpapi.LogOptions{Every: accessLogs[f.accessLog], Addresses: f.addresses})
	}
	if read {
		w.metrics = metrics.New(buildVersion())
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
			m.Request(o.Door, o.Label, o.Status, o.Took, o.Bytes, o.Cache, o.Bucket)
		}
		if tracer != nil {
			tracer.Request(o.Request, o.Door, o.Label, o.Status, o.Cache)
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
			w.metrics.Command(command, collection, took, failure != nil)
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
				w.metrics.Batch(loader, keys, failure != nil)
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
	w.metrics.Watch("store_circuit_open", "1 while the store is taken for lost and calls are refused, 0.5 while one tries again, else 0.", false, func() float64 {
		return map[string]float64{"open": 1, "half-open": 0.5}[store.Circuit()]
	})
	if counters.shared != nil {
		w.metrics.Watch("redis_up", "1 while rate limits are counted in Redis, 0 while this instance counts alone.", false,
			func() float64 {
				return map[bool]float64{true: 1}[counters.shared.Shared()]
			})
	}
	w.metrics.Watch("operations_working", "Operations that run now.", false,
		func() float64 { return float64(gate.State().Working) })
	w.metrics.Watch("operations_waiting", "Operations that wait for a place.", false,
		func() float64 { return float64(gate.State().Waiting) })
	w.metrics.Watch("operations_places", "Operations that may run at once.", false,
		func() float64 { return float64(gate.State().Places) })
	w.metrics.Watch("operations_turned_away_total", "Operations that were answered 503 because too many waited.", true,
		func() float64 {
			away := gate.State().TurnedAway
			return float64(away.Light + away.Heavy)
		})
	if kept.answers == nil {
		return
	}
	for name, state := range map[string]func() cache.State{"answer": kept.answers.State, "record": kept.records.State} {
		w.metrics.Watch(name+"_cache_bytes", "Bytes of the "+name+"s that are kept.", false,
			func() float64 { return float64(state().Bytes) })
		w.metrics.Watch(name+"_cache_evictions_total", "How many "+name+"s gave way to others before their time.", true,
			func() float64 { return float64(state().Evicted) })
	}
}

// job is told of jobs that ran.
func (w watcher) job(name string, took time.Duration, failure error) {
	if w.metrics != nil && !errors.Is(failure, mongo.ErrBusy) {
		w.metrics.Job(name, took, failure != nil)
	}
}

// seen is told how far the jobs of all instances are.
func (w watcher) seen(s jobs.State) {
	if w.metrics != nil {
		w.metrics.JobSeen("leaderboards", s.RefreshedAt)
		w.metrics.JobSeen("ranks", s.RanksAt)
		w.metrics.JobSeen("sweep", s.SweptAt)
	}
}
