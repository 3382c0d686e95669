package jobs

import (
	"context"

	"gamedata/mongo"
)

// All jobs write the same boards, so there is one lease for all of them.
const leaseName = "leaderboards"

// Still runs work while no instance writes leaderboards, and tells it the epoch of what is
// written so far. mongo.ErrBusy when one is at it.
func Still(ctx context.Context, store *mongo.Store, holder string, work func(ctx context.Context,
	epoch int64) error,
) error {
	return store.WithLease(ctx, leaseName, holder, func(ctx context.Context, lease *mongo.Lease) error {
		return work(ctx,
			lease.Epoch)
	})
}

// Resume lets the jobs of a store go on with leaderboards that were written up to an epoch
// elsewhere.
func Resume(ctx context.Context, store *mongo.Store, epoch int64) error {
	return store.RaiseEpoch(ctx, leaseName, epoch)
}
