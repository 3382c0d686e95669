package app

import (
	"context"
	"fmt"
	"io"
	"time"

	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// DumpOptions are the options for dumping a store and restoring it, beside running services: leaderboards are not
// refreshed meanwhile. Progress is written to out.
func DumpOptions(store *mongo.Store, out io.Writer) dump.Options {
	progress := config.ProgressWriter(out)
	waiting := func() { fmt.Fprintln(out, "  waiting for the refresh of the leaderboards") }
	return dump.Options{
		Program: buildinfo.Version, Now: time.Now(),
		Progress:   func(collection string, rows int) { progress(collection, rows, 0) },
		RaiseEpoch: func(ctx context.Context, epoch int64) error { return jobs.RaiseEpoch(ctx, store, epoch) },
		WhileIdle: func(ctx context.Context, read func(context.Context, int64) error) error {
			return waitWhileBusy(ctx, waiting, func() error { return jobs.WhileIdle(ctx, store, read) })
		},
		WithLease: func(ctx context.Context, work func(context.Context, int64) error) error {
			return waitWhileBusy(ctx, waiting, func() error { return jobs.WithLease(ctx, store, Holder(), work) })
		},
	}
}
