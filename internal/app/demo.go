package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"gamedata/internal/jobs"
	"gamedata/internal/simulator"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/seed"
)

// simulationRetry is the wait before a simulation that failed is started again.
const simulationRetry = 10 * time.Second

// CreateDemo creates the demo world in an empty store and computes its leaderboards. seed.ErrInhabited when the store
// is not empty; a world that lacks leaderboards gets them.
func CreateDemo(ctx context.Context, store *mongo.Store, o seed.Options) error {
	err := seed.Run(ctx, store, o)
	if errors.Is(err, seed.ErrInhabited) {
		if unranked, _, rankErr := lacksRanks(ctx, store); rankErr != nil || !unranked {
			return errors.Join(err, rankErr)
		}
	} else if err != nil {
		return err
	}
	return rankDemo(ctx, store)
}

// ensureDemo creates the demo world in an empty store, or completes one whose creation was interrupted. A store with
// any other content is left unchanged.
func ensureDemo(ctx context.Context, store *mongo.Store, o seed.Options, progress io.Writer) error {
	wanted, err := seed.Wanted(ctx, store)
	if err != nil {
		return err
	}
	if wanted {
		fmt.Fprintln(progress, "creating the demo world")
		if err := seed.Run(ctx, store, o); err != nil {
			return fmt.Errorf("--demo: %w", err)
		}
	}
	err = rankDemo(ctx, store)
	if wanted {
		debug.FreeOSMemory() // creating a world takes much more memory than serving it
	}
	return err
}

// lacksRanks reports whether a store contains a complete demo world without leaderboards.
func lacksRanks(ctx context.Context, store *mongo.Store) (bool, seed.Mark, error) {
	var mark seed.Mark
	complete, err := store.ReadMark(ctx, seed.MarkKey, &mark)
	if err != nil || !complete {
		return false, mark, err
	}
	state, err := jobs.ReadState(ctx, store)
	return state.RanksAt.IsZero(), mark, err
}

// rankDemo computes the leaderboards of a demo world and invents those of the day before. Only its last step marks it
// as done, so it can be interrupted and repeated.
func rankDemo(ctx context.Context, store *mongo.Store) error {
	unranked, mark, err := lacksRanks(ctx, store)
	if err != nil || !unranked {
		return err
	}
	number, err := strconv.ParseUint(mark.Seed, 10, 64)
	if err != nil {
		return err
	}
	now, o := time.Now(), jobs.Options{Holder: Holder(), Full: true}
	if _, err := jobs.Refresh(ctx, store, now, o); err != nil {
		return err
	}
	if err := seed.PutPreviousRankings(ctx, store, number); err != nil {
		return err
	}
	return jobs.MarkRanksDone(ctx, store, now, o)
}

// Simulate plays the game. Only one process may: the writes of two would contradict each other. mongo.ErrBusy when
// another process plays it.
func Simulate(ctx context.Context, store *mongo.Store, o simulator.Options) error {
	return store.WithLease(ctx, "simulation", Holder(), func(ctx context.Context, _ *mongo.Lease) error {
		return simulator.Play(ctx, store, o)
	})
}

// simulateDemo simulates a demo world until ctx ends.
func simulateDemo(ctx context.Context, store *mongo.Store, o simulator.Options, clock scaledClock, log *slog.Logger) {
	keepSimulating(ctx, o, log, func(o simulator.Options) error {
		o.Start = clock.now()
		return Simulate(ctx, store, o)
	})
}

// keepSimulating restarts a simulation until ctx ends. It logs a failure once until the simulation works again.
func keepSimulating(ctx context.Context, o simulator.Options, log *slog.Logger,
	simulate func(simulator.Options) error,
) {
	failing := false
	o.OnStep = func(feed.Result) {
		if failing {
			failing = false
			log.Info("the simulation of the demo world works again")
		}
	}
	for ctx.Err() == nil {
		// ErrBusy is no failure: when the instance that simulates ends, this one takes over.
		if err := simulate(o); err != nil && !errors.Is(err, mongo.ErrBusy) && ctx.Err() == nil && !failing {
			failing = true
			log.Error("simulating the demo world failed", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(simulationRetry):
		}
	}
}
