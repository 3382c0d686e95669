package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gamedata/internal/history"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

const (
	// sweepInterval is the time between two sweeps.
	sweepInterval = time.Hour
	// pollInterval is how often the scheduler checks for due jobs. All instances share the state, so a poll is one
	// small read.
	pollInterval = 15 * time.Second
)

// Job is one job of internal/jobs.
type Job func(context.Context, *mongo.Store, time.Time, jobs.Options) (jobs.Report, error)

// scheduler runs the jobs of a service when they are due.
type scheduler struct {
	store     *mongo.Store
	every     time.Duration // between leaderboard refreshes
	retention history.Retention
	tempDir   string // of files that jobs sort in
	watch     instrumentation
	log       *slog.Logger
	failing   map[string]int // consecutive failures of a job
}

// newScheduler refreshes the leaderboards at an interval and runs the other jobs at their own times.
func newScheduler(store *mongo.Store, every time.Duration, retention history.Retention, log *slog.Logger) *scheduler {
	return &scheduler{store: store, every: every, retention: retention, log: log, failing: map[string]int{}}
}

// run runs jobs until ctx ends. An interrupted job releases its lease.
func (s *scheduler) run(ctx context.Context, clock scaledClock) {
	due := func() { s.runDue(ctx, clock.now()) }
	due()
	everyInterval(ctx, clock.realDuration(min(s.every, pollInterval)), due)
}

// everyInterval runs work at an interval until ctx ends.
func everyInterval(ctx context.Context, interval time.Duration, work func()) {
	for tick := time.Tick(interval); ; work() {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// pause waits. It returns false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (s *scheduler) options() jobs.Options {
	return jobs.Options{Holder: Holder(), Retention: s.retention, Log: s.log, TempDir: s.tempDir}
}

// runDue runs the jobs that are due at a time. The job that saves the day's ranks refreshes the leaderboards first, so
// it replaces a refresh.
func (s *scheduler) runDue(ctx context.Context, now time.Time) {
	state, err := jobs.ReadState(ctx, s.store)
	if !s.succeeded(ctx, "clock", err) {
		return
	}
	census, err := s.store.Census.Read(ctx)
	if !s.succeeded(ctx, "clock", err) {
		return
	}
	recorded, historyDue, err := jobs.HistoryState(ctx, s.store, now)
	if !s.succeeded(ctx, "clock", err) {
		return
	}
	s.watch.jobState(state, census.At, recorded)
	if state.RanksDue(now) {
		s.runJob(ctx, "ranks", now, jobs.Ranks)
		s.runStatistics(ctx, now)
	} else if elapsed(state.RefreshedAt, now, s.every) {
		s.runJob(ctx, "leaderboards", now, jobs.Refresh)
		s.runStatistics(ctx, now)
	}
	if elapsed(state.SweptAt, now, sweepInterval) {
		s.runJob(ctx, "sweep", now, jobs.Sweep)
	}
	if historyDue {
		s.runJob(ctx, "history", now, jobs.History)
		s.runJob(ctx, "colour", now, jobs.Colour)
	}
}

// runStatistics computes the statistics if they are due.
func (s *scheduler) runStatistics(ctx context.Context, now time.Time) {
	due, err := jobs.StatisticsDue(ctx, s.store, now)
	if s.succeeded(ctx, "clock", err) && due {
		s.runJob(ctx, "statistics", now, jobs.Statistics)
	}
}

// elapsed reports whether d has passed since a time. A time far in the future, from a wrong clock, counts as past.
func elapsed(since, now time.Time, d time.Duration) bool {
	return now.Sub(since) >= d || since.Sub(now) >= d
}

func (s *scheduler) runJob(ctx context.Context, name string, now time.Time, job Job) {
	if ctx.Err() != nil {
		return
	}
	started := time.Now()
	report, err := job(ctx, s.store, now, s.options())
	s.watch.jobDone(name, time.Since(started), err)
	if s.succeeded(ctx, name, err) && err == nil {
		s.log.Info("job done", "job", name, "report", report.String(), "took", time.Since(started))
	}
}

// succeeded logs a failure once until the same job succeeds again. If the store did not respond it logs only the third
// failure, since the next poll retries. A lease held by another instance is no failure.
func (s *scheduler) succeeded(ctx context.Context, name string, err error) bool {
	switch {
	case err == nil, errors.Is(err, mongo.ErrBusy), errors.Is(err, mongo.ErrLeaseLost):
		s.failing[name] = 0
		return true
	case ctx.Err() != nil:
		return false
	}
	s.failing[name]++
	if logged(s.failing[name], err) {
		s.log.Error("job failed", "job", name, "error", err)
	}
	return false
}

// loggedOutage is the number of consecutive failures after which the log reports that the store does not respond.
const loggedOutage = 3

// logged reports whether the nth failure in a row is logged.
func logged(n int, err error) bool {
	if errors.Is(err, mongo.ErrUnavailable) {
		return n == loggedOutage
	}
	return n == 1
}
