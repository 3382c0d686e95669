package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gamedata/mongo"
)

// leaseRetry is the wait before retrying work that needs a lease.
const leaseRetry = 250 * time.Millisecond

// Holder names this process in a lease.
func Holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// retryPauses are the waits before retrying work after the store did not respond. They cover an election, or a store
// that is briefly starved.
var retryPauses = []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second}

// Retry repeats work if the store does not respond. The work may be interrupted anywhere, and does the rest when
// repeated.
func Retry(ctx context.Context, work func() error) error {
	err := work()
	for _, wait := range retryPauses {
		if !errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, mongo.ErrDamaged) {
			break
		}
		if !pause(ctx, wait) {
			return err
		}
		err = work()
	}
	return err
}

// waitWhileBusy repeats work while another process holds the lease that it needs. The wait ends even if that process
// dies, since its lease expires. waiting is called once if there is a wait.
func waitWhileBusy(ctx context.Context, waiting func(), work func() error) error {
	for waited := false; ; waited = true {
		err := work()
		if !errors.Is(err, mongo.ErrBusy) {
			return err
		}
		if !waited {
			waiting()
		}
		if !pause(ctx, leaseRetry) {
			return ctx.Err()
		}
	}
}
