package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/jobs"
	"gamedata/internal/terminal"
	"gamedata/mongo"
)

// simulationRetry is the wait before restarting a failed simulation.
const simulationRetry = 2 * time.Second

// CreateDemo creates the demo world in an empty store and computes its leaderboards, sorted in tempDir. It returns
// demo.ErrInhabited when the store is not empty, but completes a world that lacks leaderboards. It waits while another
// instance does so. progress is called often.
func CreateDemo(ctx context.Context, store *mongo.Store, o seed.Options, tempDir string, progress progressFunc) error {
	o.Progress = progress
	return underDemoLease(ctx, store, func() {}, func(ctx context.Context) error {
		err := demo.Create(ctx, store, o)
		if errors.Is(err, demo.ErrInhabited) {
			if unranked, _, rankErr := lacksRanks(ctx, store); rankErr != nil || !unranked {
				return errors.Join(err, rankErr)
			}
		} else if err != nil {
			return err
		}
		return rankDemo(ctx, store, tempDir, progress)
	})
}

// progressFunc is called with the progress of a step. A total of 0 is unknown.
type progressFunc = func(step string, done, total int)

// ensureDemo creates the demo world in an empty store, or completes one whose creation was interrupted. A store with
// any other content is left unchanged. One instance does so while others wait. o.Progress may be nil.
func ensureDemo(ctx context.Context, store *mongo.Store, o seed.Options, tempDir string, out io.Writer,
	log *slog.Logger,
) error {
	lacks, err := lacksDemo(ctx, store)
	if err != nil || !lacks {
		return err
	}
	line, watch := terminal.NewProgress(out, true), o.Progress
	defer line.Clear()
	progress := func(step string, done, total int) {
		line.Report(step, done, total)
		if watch != nil {
			watch(step, done, total)
		}
	}
	o.Progress = progress
	waiting := func() { log.Info("waiting for another instance that creates the demo world or refreshes leaderboards") }
	return underDemoLease(ctx, store, waiting, func(ctx context.Context) error {
		wanted, err := demo.Wanted(ctx, store)
		if err != nil {
			return err
		}
		if wanted {
			fmt.Fprintln(out, "creating the demo world")
			if err := demo.Create(ctx, store, o); err != nil {
				return fmt.Errorf("--demo: %w", err)
			}
			defer debug.FreeOSMemory() // creating a world takes much more memory than serving it
		}
		return rankDemo(ctx, store, tempDir, progress)
	})
}

// lacksDemo reports whether a store should get a demo world, or its leaderboards.
func lacksDemo(ctx context.Context, store *mongo.Store) (bool, error) {
	wanted, err := demo.Wanted(ctx, store)
	if err != nil || wanted {
		return wanted, err
	}
	unranked, _, err := lacksRanks(ctx, store)
	return unranked, err
}

// underDemoLease runs work while no other instance does. It waits for other instances and their jobs, and repeats work
// that fails with ErrBusy.
func underDemoLease(ctx context.Context, store *mongo.Store, waiting func(), work func(context.Context) error) error {
	return waitWhileBusy(ctx, waiting, func() error {
		return Retry(ctx, func() error {
			return store.Leases.With(ctx, "demo", Holder(), func(ctx context.Context, _ *mongo.Lease) error { return work(ctx) })
		})
	})
}

// lacksRanks reports whether a store contains a complete demo world without leaderboards.
func lacksRanks(ctx context.Context, store *mongo.Store) (bool, demo.Mark, error) {
	var mark demo.Mark
	complete, err := store.ReadMark(ctx, demo.MarkKey, &mark)
	if err != nil || !complete {
		return false, mark, err
	}
	state, err := jobs.ReadState(ctx, store)
	return state.FullAt.IsZero(), mark, err
}

// rankDemo computes the statistics, the leaderboards and the gains of a demo world, as the jobs do later. In a world
// without a past, the present positions also serve as those of the day before. It can be interrupted and repeated.
func rankDemo(ctx context.Context, store *mongo.Store, tempDir string, progress progressFunc) error {
	unranked, mark, err := lacksRanks(ctx, store)
	if err != nil || !unranked {
		return err
	}
	o := jobs.Options{Holder: Holder(), Progress: progress, TempDir: tempDir}
	if _, err := jobs.Statistics(ctx, store, store.Now(), o); err != nil {
		return err
	}
	rank := jobs.Ranks
	if mark.Days > 0 {
		rank = jobs.Refresh
		if err := jobs.SetRanked(ctx, store, mark.LastMidnight()); err != nil {
			return err
		}
	}
	if _, err := rank(ctx, store, store.Now(), o); err != nil || mark.Players > seed.MaxPlayed {
		return err // larger worlds compute gains after the start
	}
	_, err = jobs.History(ctx, store, store.Now(), o)
	return err
}

// simulateOn returns a function that plays the game. Only one process may play, since the writes of two would conflict;
// it returns mongo.ErrBusy while another process plays.
func simulateOn(ctx context.Context, store *mongo.Store) func(simulator.Options) error {
	return func(o simulator.Options) error {
		return store.Leases.With(ctx, "simulation", Holder(), func(ctx context.Context, _ *mongo.Lease) error {
			return simulator.Play(ctx, store, o)
		})
	}
}

func logSimulation(log *slog.Logger) func(error) {
	return func(err error) {
		switch {
		case err == nil:
			log.Info("the simulation of the demo world goes on")
		case !errors.Is(err, mongo.ErrBusy):
			log.Error("simulating the demo world failed", "error", err)
		}
	}
}

// keepSimulating plays the game until ctx ends. After an error it resumes at the time that the game would have reached.
// It calls failing with the error when a failure begins, and with nil when it is over.
func keepSimulating(ctx context.Context, o simulator.Options, failing func(error),
	play func(simulator.Options) error,
) {
	clock := newScaledClock(time.Now, o.Speed)
	clock.origin = o.Start
	reached, failed := o.Start, false
	o.OnStep = func(at time.Time) {
		reached = at
		if failed {
			failed = false
			failing(nil)
		}
	}
	for {
		err := play(o)
		if err == nil || ctx.Err() != nil {
			return
		}
		if !failed {
			failed = true
			failing(err)
		}
		if !pause(ctx, simulationRetry) {
			return
		}
		o.Start = clock.now()
		if reached.After(o.Start) {
			o.Start = reached
		}
	}
}
