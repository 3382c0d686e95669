package app

import (
	"context"
	"fmt"
	"time"

	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// scaledClock is the clock of the jobs and the demo world: the store's time, optionally sped up from a given time.
type scaledClock struct {
	read            func() time.Time
	origin, started time.Time
	speed           float64
}

func newScaledClock(read func() time.Time, speed float64) scaledClock {
	now := read()
	return scaledClock{read, now, now, speed}
}

// demoClock returns the clock of a demo world. A world that was simulated faster than real time continues from its own
// time, so time never runs backwards.
func demoClock(ctx context.Context, store *mongo.Store, speed float64) (scaledClock, error) {
	state, err := jobs.ReadState(ctx, store)
	c := newScaledClock(store.Now, speed)
	if state.RefreshedAt.After(c.origin) {
		c.origin = state.RefreshedAt
	}
	return c, err
}

func (c scaledClock) now() time.Time { return c.at(c.read()) }

// at returns the time on this clock at a real time. A nil clock shows the real time.
func (c *scaledClock) at(t time.Time) time.Time {
	if c == nil {
		return t
	}
	return c.origin.Add(time.Duration(float64(t.Sub(c.started)) * c.speed))
}

// String describes the clock as web.Layout does; it is empty for real time.
func (c *scaledClock) String() string {
	if c == nil || c.speed == 1 && c.origin.Equal(c.started) {
		return ""
	}
	return fmt.Sprint(c.started.UnixMilli(), c.origin.UnixMilli(), c.speed)
}

// realDuration returns how long d on this clock takes in real time, at least a millisecond.
func (c scaledClock) realDuration(d time.Duration) time.Duration {
	return max(time.Duration(float64(d)/c.speed), time.Millisecond)
}
