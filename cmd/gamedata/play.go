package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"gamedata/internal/simulator"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/seed"
)

// resumeAfter is the wait before a demo world that could not be played is taken up again.
const resumeAfter = 10 * time.Second

// ensureDemo makes the demo world in an empty store, or goes on with one that was broken off;
// a store that holds anything else stays as it is.
func ensureDemo(ctx context.Context, db *openStore, o seed.Options, progress io.Writer) error {
	fresh, err := seed.Wanted(ctx, db.Store)
	if err != nil {
		return err
	}
	if fresh {
		fmt.Fprintln(progress, "making the demo world")
		if err := seed.Run(ctx, db.Store, o); err != nil {
			return fmt.Errorf("--demo: %w", err)
		}
	}
	return rankWorld(ctx, db.Store)
}

// playDemo plays a demo world in the background; a store that holds another world is left
// alone. The function it returns ends playing and waits for the last write.
func playDemo(ctx context.Context, store *mongo.Store, o simulator.Options, p pace, log *slog.Logger) (stop func(),
	err error,
) {
	made, err := store.ReadMark(ctx, seed.MarkKey, &seed.Mark{})
	if err != nil || !made {
		return func() {}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		keepPlaying(ctx, o, log, func(o simulator.Options) error {
			o.Start = p.now()
			return playAlone(ctx, store, o)
		})
	}()
	return func() { cancel(); <-ended }, nil
}

// playAlone plays a world that nobody else plays: what two would write at once does not fit
// together. ErrBusy when somebody does.
func playAlone(ctx context.Context, store *mongo.Store, o simulator.Options) error {
	return store.WithLease(ctx, "simulation", holder(), func(ctx context.Context, _ *mongo.Lease) error {
		return simulator.Play(ctx, store, o)
	})
}

// keepPlaying plays until ctx ends. A failure is logged once, and playing taken up again
// until it works.
func keepPlaying(ctx context.Context, o simulator.Options, log *slog.Logger, play func(simulator.Options) error) {
	failing := false
	o.Wrote = func(feed.Result) {
		if failing {
			failing = false
			log.Info("the demo world is played again")
		}
	}
	for ctx.Err() == nil {
		// Another instance that plays is no failure; when it ends, this one goes on.
		if err := play(o); err != nil && !errors.Is(err, mongo.ErrBusy) && ctx.Err() == nil && !failing {
			failing = true
			log.Error("the demo world stands still", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(resumeAfter):
		}
	}
}
