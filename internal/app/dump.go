package app

import (
	"context"
	"fmt"
	"time"

	"gamedata/internal/buildinfo"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/internal/terminal"
	"gamedata/mongo"
)

// DumpOptions returns the options for dumping and restoring a store while services run; they do not refresh
// leaderboards until it ends.
func DumpOptions(store *mongo.Store, progress *terminal.Progress) dump.Options {
	waiting := func() { fmt.Fprintln(progress, "waiting for the refresh of the leaderboards") }
	return dump.Options{
		Program: buildinfo.Version, Now: time.Now(),
		Progress:   progress.Report,
		RaiseEpoch: func(ctx context.Context, epoch int64) error { return jobs.RaiseEpoch(ctx, store, epoch) },
		WhileIdle: func(ctx context.Context, read func(context.Context, int64) error) error {
			return waitWhileBusy(ctx, waiting, func() error { return jobs.WhileIdle(ctx, store, read) })
		},
		WithLease: func(ctx context.Context, work func(context.Context, int64) error) error {
			return waitWhileBusy(ctx, waiting, func() error { return jobs.WithLease(ctx, store, Holder(), work) })
		},
	}
}
