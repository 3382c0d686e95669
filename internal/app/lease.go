package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gamedata/mongo"
)

// leaseRetry is the wait before work that needs a lease is tried again.
const leaseRetry = 250 * time.Millisecond

// Holder names this process in a lease.
func Holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// waitWhileBusy repeats work while another process holds the lease that it needs. A lease of a process that died
// expires, so the wait ends. waiting is called once if there is one.
func waitWhileBusy(ctx context.Context, waiting func(), work func() error) error {
	for waited := false; ; waited = true {
		err := work()
		if !errors.Is(err, mongo.ErrBusy) {
			return err
		}
		if !waited {
			waiting()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(leaseRetry):
		}
	}
}
