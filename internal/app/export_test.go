package app

import (
	"context"
	"time"
)

// Scheduler lets tests run the jobs that are due at a time.
type Scheduler = scheduler

var NewScheduler = newScheduler

func (s *scheduler) RunDue(ctx context.Context, now time.Time) { s.runDue(ctx, now) }

// Failing reports for each job that ran whether its last run failed.
func (s *scheduler) Failing() map[string]bool { return s.failing }
