// Package simulator plays the game on a store, so that demo data changes: players log in and out, gain levels, raid
// together, join and leave guilds, and fight over territories. A World holds the records of players who are online and
// loads others when they log in. Step advances its clock and returns events, equal for equal records, seed and steps.
// Play loads a world and sends its events to the store like a game server.
package simulator

import (
	"context"
	"time"

	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// Options configure a simulation.
type Options struct {
	// Seed of the random numbers: the same store, seed, start and steps give the same writes.
	Seed uint64
	// Start is the initial time of the world's clock.
	Start time.Time
	// Speed is the ratio of the world's clock to real time: at 60, a minute passes each second. 0 runs as fast as
	// possible.
	Speed float64
	// Duration of the simulation on the world's clock; 0 runs until the context ends.
	Duration time.Duration
	// Players is the maximum number of simulated players; DefaultPlayers if 0.
	Players int
	// OnStep, if set, is called after each written step, with the new time of the world.
	OnStep func(at time.Time)
}

const (
	// maxStep is the longest step, and the step at speed 0.
	maxStep = time.Minute
	// stepTimeout bounds the reads and writes of one step.
	stepTimeout = 20 * time.Second
)

// pacing returns the length of a step on the world's clock and in real time. A step takes a second of real time, or
// less if more than maxStep would pass in a second.
func (o Options) pacing() (step, wait time.Duration) {
	if o.Speed <= 0 {
		return maxStep, 0
	}
	step = min(time.Duration(o.Speed*1000)*time.Millisecond, maxStep)
	return step, time.Duration(float64(step) / o.Speed)
}

// Play loads a world and simulates it until its duration is over or ctx ends; neither is an error. It completes a step
// that has started.
func Play(ctx context.Context, store *mongo.Store, o Options) error {
	w, err := Load(ctx, store, o)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	step, wait := o.pacing()
	var tick <-chan time.Time
	if wait > 0 {
		ticker := time.NewTicker(wait)
		defer ticker.Stop()
		tick = ticker.C
	}
	end := w.Now().Add(o.Duration)
	for o.Duration == 0 || w.Now().Before(end) {
		if wait > 0 {
			select {
			case <-tick:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		hour := w.Now().Truncate(time.Hour)
		if _, err := stepStore(ctx, store, w, step); err != nil {
			return err
		}
		if o.OnStep != nil {
			o.OnStep(w.Now())
		}
		if w.Now().Truncate(time.Hour).After(hour) {
			if err := openSeason(ctx, store, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// openSeason adds the next season when the last one has ended.
func openSeason(ctx context.Context, store *mongo.Store, w *World) error {
	next := seed.NextSeason(w.Seasons, w.now)
	if next == nil {
		return nil
	}
	w.Seasons = append(w.Seasons, next)
	w.Game.AddSeason(next)
	return mongo.Seasons.Put(ctx, store, w.Seasons)
}

// stepStore advances the world by a step and sends its events to the store, even if ctx ends. It returns the number of
// applied events: the store may reject an event about a record that others changed.
func stepStore(ctx context.Context, store *mongo.Store, w *World, step time.Duration) (applied int, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	events, err := w.Step(ctx, step)
	if err != nil {
		return 0, err
	}
	outcomes, err := feed.New(store, feed.Options{Now: w.Now}).Apply(ctx, feed.WithoutKeys(events...))
	for _, o := range outcomes {
		if o.Err == nil {
			applied++
		}
	}
	return applied, err
}
