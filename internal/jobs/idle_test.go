package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A read is refused while a job runs, and void when a job ran during it. It writes nothing.
func TestWhileIdle(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	count := func() int64 { return server.Stats().Commands["update"] + server.Stats().Commands["findAndModify"] }
	job := func() error {
		return jobs.WithLease(ctx, store, "other", func(context.Context, int64) error { return nil })
	}
	var epochs []int64
	read := func(_ context.Context, epoch int64) error { epochs = append(epochs, epoch); return nil }
	before := count()
	if err := jobs.WhileIdle(ctx, store, read); err != nil || count() != before {
		t.Errorf("never held: %v, %d writes", err, count()-before)
	}
	if err := jobs.WhileIdle(ctx, store, func(context.Context, int64) error { return job() }); !errors.Is(err,
		mongo.ErrBusy) {
		t.Errorf("a job during the read: got %v, want ErrBusy", err)
	}
	if err := jobs.WhileIdle(ctx, store, read); err != nil || len(epochs) != 2 || epochs[1] != 1 {
		t.Errorf("released: %v, epochs %v", err, epochs)
	}
	mongotest.Value(store.Leases.Take(ctx, "leaderboards", "other", time.Minute))(t)
	if err := jobs.WhileIdle(ctx, store, read); !errors.Is(err, mongo.ErrBusy) || len(epochs) != 2 {
		t.Errorf("held: got %v, want ErrBusy", err)
	}
}
