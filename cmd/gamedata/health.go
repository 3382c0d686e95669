package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gamedata/internal/jobs"
	"gamedata/internal/telemetry/health"
)

const (
	// indexesEvery is how often it is looked whether all indexes are there.
	indexesEvery = time.Minute
	// lateAfter is how many times the time between refreshes may pass until they are late.
	lateAfter = 3
)

// checks are what readiness looks at. Their notes are read by strangers: they tell no address.
func (s *service) checks(f *serveFlags) []health.Check {
	begun := time.Now()
	out := []health.Check{
		{Name: "drain", Run: func(context.Context) (health.State, string) {
			if s.draining.Load() {
				return health.Dead, "draining"
			}
			return health.OK, ""
		}},
		{Name: "store", Run: func(ctx context.Context) (health.State, string) {
			if s.store.Ping(ctx) != nil {
				return health.Dead, "the store does not answer"
			}
			return health.OK, "circuit " + s.store.Circuit()
		}},
		health.Every(indexesEvery, time.Now, health.Check{Name: "indexes", Run: func(ctx context.Context) (health.State,
			string,
		) {
			missing, err := s.store.MissingIndexes(ctx)
			switch {
			case err != nil:
				return health.Degraded, "the store does not tell its indexes"
			case len(missing) > 0:
				return health.Degraded, "missing, made when an instance starts: " + strings.Join(missing, ", ")
			}
			return health.OK, ""
		}}),
	}
	if s.counters.shared != nil {
		out = append(out, health.Check{Name: "limits", Run: s.counters.health})
	}
	if f.refresh > 0 {
		out = append(out, health.Check{Name: "jobs", Run: func(ctx context.Context) (health.State, string) {
			state, err := jobs.ReadState(ctx, s.store)
			if err != nil {
				return health.Degraded, "the store does not tell when jobs ran"
			}
			return jobsState(state, begun, time.Now(), f.refresh)
		}})
	}
	return out
}

// health tells whether limits are counted in Redis. It does not wait for Redis as long as a
// decision may: --redis-timeout can be longer than whoever asks for readiness has patience.
func (c *counting) health(ctx context.Context) (health.State, string) {
	checked := make(chan error, 1)
	go func() { checked <- c.shared.Check() }()
	select {
	case err := <-checked:
		if err != nil {
			return health.Degraded, "redis does not answer, this instance counts alone"
		}
		return health.OK, "counted in redis"
	case <-ctx.Done():
		return health.Degraded, "redis does not answer in time"
	}
}

// jobsState tells whether the leaderboards are refreshed, by any instance: a new one waits as
// long as an old one may be late.
func jobsState(state jobs.State, begun, now time.Time, every time.Duration) (health.State, string) {
	since := now.Sub(state.RefreshedAt)
	if state.RefreshedAt.IsZero() {
		since = now.Sub(begun)
	}
	if since >= lateAfter*every && now.Sub(begun) >= lateAfter*every {
		return health.Degraded, fmt.Sprintf("leaderboards were not refreshed for %s", since.Round(time.Second))
	}
	if state.RefreshedAt.IsZero() {
		return health.OK, "leaderboards are refreshed for the first time"
	}
	return health.OK, "leaderboards refreshed " + state.RefreshedAt.UTC().Format(time.RFC3339)
}
