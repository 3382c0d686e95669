package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gamedata/internal/jobs"
	"gamedata/internal/telemetry"
)

const (
	// indexesEvery is how often it is looked whether all indexes are there.
	indexesEvery = time.Minute
	// lateAfter is how many times the time between refreshes may pass until they are late.
	lateAfter = 3
)

// checks are what readiness looks at. Their notes are read by strangers: they tell no address.
func (s *service) checks(f *serveFlags) []telemetry.HealthCheck {
	begun := time.Now()
	out := []telemetry.HealthCheck{
		{Name: "drain", Run: func(context.Context) (telemetry.Health, string) {
			if s.draining.Load() {
				return telemetry.Dead, "draining"
			}
			return telemetry.Healthy, ""
		}},
		{Name: "store", Run: func(ctx context.Context) (telemetry.Health, string) {
			if s.store.Ping(ctx) != nil {
				return telemetry.Dead, "the store does not answer"
			}
			return telemetry.Healthy, "circuit " + s.store.Circuit()
		}},
		telemetry.Throttle(indexesEvery, time.Now, telemetry.HealthCheck{Name: "indexes", Run: func(ctx context.Context) (telemetry.Health,
			string,
		) {
			missing, err := s.store.MissingIndexes(ctx)
			switch {
			case err != nil:
				return telemetry.Degraded, "the store does not tell its indexes"
			case len(missing) > 0:
				return telemetry.Degraded, "missing, made when an instance starts: " + strings.Join(missing, ", ")
			}
			return telemetry.Healthy, ""
		}}),
	}
	if s.counters.shared != nil {
		out = append(out, telemetry.HealthCheck{Name: "limits", Run: s.counters.health})
	}
	if f.refresh > 0 {
		out = append(out, telemetry.HealthCheck{Name: "jobs", Run: func(ctx context.Context) (telemetry.Health, string) {
			state, err := jobs.ReadState(ctx, s.store)
			if err != nil {
				return telemetry.Degraded, "the store does not tell when jobs ran"
			}
			return jobsState(state, begun, time.Now(), f.refresh)
		}})
	}
	return out
}

// health tells whether limits are counted in Redis. It does not wait for Redis as long as a
// decision may: --redis-timeout can be longer than whoever asks for readiness has patience.
func (c *counting) health(ctx context.Context) (telemetry.Health, string) {
	checked := make(chan error, 1)
	go func() { checked <- c.shared.Check() }()
	select {
	case err := <-checked:
		if err != nil {
			return telemetry.Degraded, "redis does not answer, this instance counts alone"
		}
		return telemetry.Healthy, "counted in redis"
	case <-ctx.Done():
		return telemetry.Degraded, "redis does not answer in time"
	}
}

// jobsState tells whether the leaderboards are refreshed, by any instance: a new one waits as
// long as an old one may be late.
func jobsState(state jobs.State, begun, now time.Time, every time.Duration) (telemetry.Health, string) {
	since := now.Sub(state.RefreshedAt)
	if state.RefreshedAt.IsZero() {
		since = now.Sub(begun)
	}
	if since >= lateAfter*every && now.Sub(begun) >= lateAfter*every {
		return telemetry.Degraded, fmt.Sprintf("leaderboards were not refreshed for %s", since.Round(time.Second))
	}
	if state.RefreshedAt.IsZero() {
		return telemetry.Healthy, "leaderboards are refreshed for the first time"
	}
	return telemetry.Healthy, "leaderboards refreshed " + state.RefreshedAt.UTC().Format(time.RFC3339)
}
