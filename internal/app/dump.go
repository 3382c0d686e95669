package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// leaseRetry is the wait before a dump tries again to take the lease of the leaderboards.
const leaseRetry = time.Second

// DumpOptions are the options for dumping a store and restoring it, beside running services: leaderboards are not
// refreshed meanwhile. Progress is written to out.
func DumpOptions(store *mongo.Store, out io.Writer) dump.Options {
	progress := config.ProgressWriter(out)
	return dump.Options{
		Program: buildinfo.Version, Now: time.Now(),
		Progress:   func(collection string, rows int) { progress(collection, rows, 0) },
		RaiseEpoch: func(ctx context.Context, epoch int64) error { return jobs.RaiseEpoch(ctx, store, epoch) },
		WithLease: func(ctx context.Context, work func(context.Context, int64) error) error {
			for waited := false; ; waited = true {
				err := jobs.WithLease(ctx, store, Holder(), work)
				if !errors.Is(err, mongo.ErrBusy) {
					return err
				}
				if !waited {
					fmt.Fprintln(out, "  waiting for the refresh of the leaderboards")
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(leaseRetry):
				}
			}
		},
	}
}
