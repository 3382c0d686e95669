package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrBusy says that somebody else holds a lease.
var ErrBusy = errors.New("another instance is at work")

// term is how long a lease is taken for; work that goes on extends it three times as often.
// It bounds how long others wait for an instance that died.
const leaseTerm = 30 * time.Second

// WithLease runs work while holding a lease: nobody else who asks for it works at the same time.
// The work's context ends when the lease is lost, with ErrLeaseLost as its cause. ErrBusy when
// somebody holds it already.
func (s *Store) WithLease(ctx context.Context, name, holder string, work func(context.Context, *Lease) error) error {
	now := time.Now()
	lease, err := s.TakeLease(ctx, name, holder, now, now.Add(leaseTerm))
	if err != nil {
		return err
	}
	if lease == nil {
		return fmt.Errorf("%s: %w", name, ErrBusy)
	}
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		s.extendUntilDone(working, lease, stop)
	}()
	err = work(working, lease)
	if cause := context.Cause(working); errors.Is(cause, ErrLeaseLost) {
		err = cause
	}
	stop(nil)
	<-kept
	// The lease is given back even when the work was told to stop.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if given := s.ExtendLease(end, lease, time.Unix(0, 0)); err == nil && !errors.Is(given, ErrLeaseLost) {
		err = given
	}
	return err
}

// extendUntilDone extends a lease until ctx ends, and ends it when the lease is lost: taken by another,
// or not extended in time.
func (s *Store) extendUntilDone(ctx context.Context, lease *Lease, lose context.CancelCauseFunc) {
	tick := time.NewTicker(leaseTerm / 3)
	defer tick.Stop()
	until := lease.Until
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			err := s.ExtendLease(ctx, lease, now.Add(leaseTerm))
			switch {
			case err == nil:
				until = now.Add(leaseTerm)
			case errors.Is(err, ErrLeaseLost) || now.After(until):
				lose(ErrLeaseLost)
				return
			}
		}
	}
}
