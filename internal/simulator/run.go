package simulator

import (
	"context"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/feed"
)

// Options say how a world is played.
type Options struct {
	// Seed decides what happens: the same store, seed, start and steps give the same writes.
	Seed uint64
	// Start is the moment the world's clock begins at; the present when zero.
	Start time.Time
	// Speed is how fast that clock runs: 60 makes a minute of every second. 0 does not wait
	// at all.
	Speed float64
	// Duration on the world's clock after which playing ends; 0 plays until told to stop.
	Duration time.Duration
	// Players is how many take part at most; MostPlayers when 0.
	Players int
	// Rest are the uuids of players that stay as they are.
	Rest []string
	// Hourly, when set, is told what happened in each hour of the world's clock, and in the
	// last part of one.
	Hourly func(Hour)
	// Wrote, when set, is told after each step what was written.
	Wrote func(feed.Result)
}

// Hour is what happened in an hour of the world's clock, or in the part of it that was
// played.
type Hour struct {
	From, To time.Time
	// Online and Players are those of the world at the end.
	Online, Players int
	Tally           Tally
	Written         int64
}

const (
	// longest is the longest step, and the step of a world that does not wait.
	longest = time.Minute
	// stepWithin bounds the reading and writing of one step.
	stepWithin = 20 * time.Second
)

// pacing gives the length of a step on the world's clock, and the wait for each in real
// time: one second and what passes in it, or less when that would be more than longest.
func (o Options) pacing() (step, wait time.Duration) {
	if o.Speed <= 0 {
		return longest, 0
	}
	step, wait = time.Duration(o.Speed*1000)*time.Millisecond, time.Second
	if step > longest {
		step, wait = longest, time.Duration(float64(longest)/o.Speed)
	}
	return step, wait
}

// Play loads a world and plays it until its duration is over or ctx ends, neither of which
// is an error. A step that has begun is written whole.
func Play(ctx context.Context, store *mongo.Store, o Options) error {
	w, err := Load(ctx, store, o)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	step, wait := o.pacing()
	pause := make(<-chan time.Time)
	if wait > 0 {
		ticker := time.NewTicker(wait)
		defer ticker.Stop()
		pause = ticker.C
	}
	end := w.Now().Add(o.Duration)
	hour := Hour{From: w.Now()}
	tell := func() {
		hour.To, hour.Online, hour.Players, hour.Tally = w.Now(), len(w.online), len(w.players), w.tally
		if o.Hourly != nil && hour.To.After(hour.From) {
			o.Hourly(hour)
		}
		hour, w.tally = Hour{From: w.Now()}, Tally{}
	}
	defer func() { tell() }()
	for o.Duration == 0 || w.Now().Before(end) {
		if wait > 0 {
			select {
			case <-pause:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		fed, err := take(ctx, store, w, step)
		if err != nil {
			return err
		}
		hour.Written += fed.Written
		if o.Wrote != nil {
			o.Wrote(fed)
		}
		if w.Now().Truncate(time.Hour).After(hour.From) {
			tell()
		}
	}
	return nil
}

// take takes a step and brings it into the store. The end of ctx does not break it off.
func take(ctx context.Context, store *mongo.Store, w *World, step time.Duration) (feed.Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepWithin)
	defer cancel()
	f, err := w.Step(ctx, step)
	if err != nil {
		return feed.Result{}, err
	}
	return f.Write(ctx, store)
}
