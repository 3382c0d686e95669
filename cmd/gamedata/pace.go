package main

import (
	"context"
	"time"

	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// pace is how time passes for the jobs and the demo world: as it does for everybody, or so
// many times faster from a moment on.
type pace struct {
	origin, began time.Time
	speed         float64
}

// present is the pace of everybody's clock.
func present() pace {
	now := time.Now()
	return pace{now, now, 1}
}

// demoPace is the pace of a demo world. One that was played ahead of the present goes on from
// there, so that its time never runs backwards.
func demoPace(ctx context.Context, store *mongo.Store, speed float64) (pace, error) {
	state, err := jobs.ReadState(ctx, store)
	p := present()
	p.speed = speed
	if state.RefreshedAt.After(p.origin) {
		p.origin = state.RefreshedAt
	}
	return p, err
}

// now is the moment on this clock.
func (p pace) now() time.Time {
	return p.origin.Add(time.Duration(float64(time.Since(p.began)) * p.speed))
}

// wait is how long to wait until d passed on this clock, a millisecond at least.
func (p pace) wait(d time.Duration) time.Duration {
	return max(time.Duration(float64(d)/p.speed), time.Millisecond)
}
