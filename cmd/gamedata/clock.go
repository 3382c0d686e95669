package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// sweepEvery is the time between sweeps.
const sweepEvery = time.Hour

// look is how often the clock looks whether a job is due: state is shared by all instances,
// so a look is one small read.
const look = 15 * time.Second

// clock runs the jobs of a service when they are due.
type clock struct {
	store   *mongo.Store
	every   time.Duration // between refreshes of the leaderboards
	watch   watcher
	log     *slog.Logger
	failing map[string]bool
}

// startClock runs the jobs in the background. The function it returns stops the one at work
// and waits until it has given its lease back.
func startClock(ctx context.Context, store *mongo.Store, every time.Duration, p pace, watch watcher,
	log *slog.Logger,
) (stop func()) {
	if every == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &clock{store: store, every: every, watch: watch, log: log, failing: map[string]bool{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(p.wait(min(every, look)))
		defer tick.Stop()
		for {
			c.round(ctx, p.now())
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// round runs what is due at a moment. The positions of a day are kept by a full refresh,
// which saves one of the others.
func (c *clock) round(ctx context.Context, now time.Time) {
	state, err := jobs.ReadState(ctx, c.store)
	if !c.went(ctx, "clock", err) {
		return
	}
	c.watch.seen(state)
	if state.RanksDue(now) {
		c.run(ctx, "ranks", now, jobs.Ranks)
	} else if passed(state.RefreshedAt, now, c.every) {
		c.run(ctx, "leaderboards", now, jobs.Refresh)
	}
	if passed(state.SweptAt, now, sweepEvery) {
		c.run(ctx, "sweep", now, jobs.Sweep)
	}
}

// passed tells whether so much time has passed; a moment far ahead was told by a wrong clock.
func passed(since, now time.Time, d time.Duration) bool {
	return now.Sub(since) >= d || since.Sub(now) >= d
}

func (c *clock) run(ctx context.Context, name string, now time.Time, work job) {
	if ctx.Err() != nil {
		return
	}
	begun := time.Now()
	report, err := work(ctx, c.store, now, jobs.Options{Holder: holder()})
	c.watch.job(name, time.Since(begun), err)
	if c.went(ctx, name, err) && err == nil {
		c.log.Info("job done", "job", name, "report", report.String(), "took", time.Since(begun))
	}
}

// went logs a failure once until the same work succeeds; another instance at work is none.
func (c *clock) went(ctx context.Context, name string, err error) bool {
	switch {
	case err == nil, errors.Is(err, mongo.ErrBusy), errors.Is(err, mongo.ErrLeaseLost):
		c.failing[name] = false
		return true
	case ctx.Err() != nil:
		return false
	case !c.failing[name]:
		c.failing[name] = true
		c.log.Error("a job failed", "job", name, "error", err)
	}
	return false
}
