package app

import (
	"context"
	"log/slog"
	"time"

	"gamedata/internal/history"
	"gamedata/internal/telemetry"
	"gamedata/mongo"
)

// Scheduler lets tests run the jobs that are due at a time.
type Scheduler = scheduler

// NewScheduler returns a scheduler with metrics that nobody reads.
func NewScheduler(
	store *mongo.Store, every time.Duration, retention history.Retention, log *slog.Logger,
) *Scheduler {
	s := newScheduler(store, every, retention, log)
	s.watch.metrics = telemetry.NewMetrics("test")
	return s
}

func (s *scheduler) RunDue(ctx context.Context, now time.Time) { s.runDue(ctx, now) }
