package app

import (
	"context"
	"fmt"
	"time"

	"gamedata/internal/jobs"
	"gamedata/internal/telemetry"
	"gamedata/mongo"
)

// lateAfter is the number of refresh intervals after which leaderboards count as late.
const lateAfter = 3

// readinessChecks returns the checks of /readyz. Their notes are public, so they contain no addresses.
//
// All instances share the store. If losing it made them dead, a load balancer would remove all of them, and no client
// would get their cached responses.
func (s *Service) readinessChecks(leaderboardRefresh time.Duration) []telemetry.HealthCheck {
	started := s.store.Now()
	checks := []telemetry.HealthCheck{
		{Name: "drain", Run: func(context.Context) (telemetry.Health, string) {
			if s.draining.Load() {
				return telemetry.Dead, "draining"
			}
			return telemetry.Healthy, ""
		}},
		{Name: "store", Run: func(ctx context.Context) (telemetry.Health, string) {
			switch err := s.store.Ping(ctx); {
			case err == nil && s.store.Damaged():
				return telemetry.Degraded, "the store's file is damaged; what can be read is served, writes are refused"
			case err == nil && s.store.RefusesWrites():
				return telemetry.Degraded, "the store accepts no writes; reads are served"
			case err == nil && !s.store.Transactional():
				return telemetry.Degraded, mongo.NoTransactions
			case err == nil:
				return telemetry.Healthy, "circuit " + s.store.Circuit()
			case s.store.PingReads(ctx) == nil:
				return telemetry.Degraded, "the store has no primary: reads are served, writes are not"
			case s.caches.hasResponses():
				return telemetry.Degraded, "the store does not respond, cached responses are served"
			}
			return telemetry.Dead, "the store does not respond, and no response is cached"
		}},
		{Name: "indexes", Run: s.indexes.health},
	}
	if s.counters.Redis != nil {
		checks = append(checks, telemetry.HealthCheck{Name: "limits", Run: s.counters.health})
	}
	if leaderboardRefresh > 0 {
		checks = append(checks, telemetry.HealthCheck{
			Name: "jobs", Run: func(ctx context.Context) (telemetry.Health, string) {
				state, err := jobs.ReadState(ctx, s.store)
				if err != nil {
					return telemetry.Degraded, "the state of the jobs could not be read"
				}
				return jobHealth(state, started, s.store.Now(), leaderboardRefresh)
			},
		})
	}
	return checks
}

// jobHealth reports whether any instance refreshes the leaderboards. A new instance gets as much time as a refresh may
// be late.
func jobHealth(state jobs.State, started, now time.Time, every time.Duration) (telemetry.Health, string) {
	since := now.Sub(state.RefreshedAt)
	if state.RefreshedAt.IsZero() {
		since = now.Sub(started)
	}
	if since >= lateAfter*every && now.Sub(started) >= lateAfter*every {
		return telemetry.Degraded, fmt.Sprintf("leaderboards were not refreshed for %s", since.Round(time.Second))
	}
	if state.RefreshedAt.IsZero() {
		return telemetry.Healthy, "the first refresh of the leaderboards is pending"
	}
	return telemetry.Healthy, "leaderboards refreshed " + state.RefreshedAt.UTC().Format(time.RFC3339)
}
