package jobs

import (
	"context"
	"errors"
	"time"

	"gamedata/mongo"
)

// ErrBusy says that another instance is at work.
var ErrBusy = errors.New("another instance is at work on the leaderboards")

// All jobs write the same boards, so there is one lease for all of them.
const leaseName = "leaderboards"

// term is how long a lease is taken for; work that goes on extends it three times as often.
// It bounds how long others wait for an instance that died.
const term = 30 * time.Second

// alone runs work while holding the lease. Its context ends when the lease is lost.
func alone(ctx context.Context, store *mongo.Store, holder string, work func(context.Context, *mongo.Lease) error) error {
	now := time.Now()
	lease, err := store.TakeLease(ctx, leaseName, holder, now, now.Add(term))
	if err != nil {
		return err
	}
	if lease == nil {
		return ErrBusy
	}
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		keep(working, store, lease, stop)
	}()
	err = work(working, lease)
	if cause := context.Cause(working); errors.Is(cause, mongo.ErrLeaseLost) {
		err = cause
	}
	stop(nil)
	<-kept
	// The lease is given back even when the work was told to stop.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if given := store.ExtendLease(end, lease, time.Unix(0, 0)); err == nil && !errors.Is(given, mongo.ErrLeaseLost) {
		err = given
	}
	return err
}

// keep extends a lease until ctx ends, and ends it when the lease is lost: taken by another,
// or not extended in time.
func keep(ctx context.Context, store *mongo.Store, lease *mongo.Lease, lose context.CancelCauseFunc) {
	tick := time.NewTicker(term / 3)
	defer tick.Stop()
	until := lease.Until
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			err := store.ExtendLease(ctx, lease, now.Add(term))
			switch {
			case err == nil:
				until = now.Add(term)
			case errors.Is(err, mongo.ErrLeaseLost) || now.After(until):
				lose(mongo.ErrLeaseLost)
				return
			}
		}
	}
}
