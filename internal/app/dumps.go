package app

import (
	"context"
	"log/slog"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/buildinfo"
	"gamedata/internal/history"
	"gamedata/internal/publicdump"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/resolvers"
)

// dumpsInterval is the time between two checks whether dumps are due.
const dumpsInterval = time.Minute

// WriteDumps writes public dumps of a store into a directory. It returns mongo.ErrBusy while another instance writes.
func WriteDumps(ctx context.Context, store *mongo.Store, dir string, now time.Time, log *slog.Logger,
	progress func(name string, done, total int),
) (m *publicdump.Manifest, err error) {
	limits := graph.DefaultLimits()
	source := loaders.New(store, loaders.Options{Log: log}) // without a record cache: each record is read once
	root := resolvers.New(resolvers.Settings{PageSize: limits.PageSize, Limits: limits})
	exec := graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: root}), graph.Options{
		Limits: limits, Loaders: source, Log: log,
	})
	err = store.Leases.With(ctx, "dumps", Holder(), func(ctx context.Context, _ *mongo.Lease) error {
		m, err = publicdump.Write(ctx, exec, dir, publicdump.Options{
			Program: buildinfo.Version, Now: now, Progress: progress,
		})
		return err
	})
	return m, err
}

// keepDumps writes public dumps once a day until ctx ends: after midnight UTC, and at once when the directory lacks
// today's. It removes the previous files some minutes later. Instances that share a directory write its dumps once;
// each other instance writes its own.
func keepDumps(ctx context.Context, store *mongo.Store, dir string, watch instrumentation, log *slog.Logger) {
	job := newScheduler(store, 0, history.Retention{}, log)
	work := func() {
		started := time.Now()
		due, err := publicdump.Due(dir, started)
		var m *publicdump.Manifest
		if err == nil && due {
			m, err = WriteDumps(ctx, store, dir, started, log, nil)
			watch.jobDone("dumps", time.Since(started), err)
		}
		if err == nil {
			err = publicdump.RemoveOld(dir)
		}
		var written time.Time
		if last, readErr := publicdump.ReadManifest(dir); readErr == nil && last != nil {
			written = last.GeneratedAt
		}
		watch.metrics.SetJobSuccess("dumps", written)
		if job.succeeded(ctx, "dumps", err) && err == nil && m != nil {
			log.Info("job done", "job", "dumps", "report", m.String(), "took", time.Since(started))
		}
	}
	work()
	everyInterval(ctx, dumpsInterval, work)
}
