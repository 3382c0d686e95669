package app_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/history"
	"gamedata/mongo/mongotest"
)

// The scheduler runs jobs that never ran, skips jobs that are not due, and catches up after a day.
func TestSchedulerRunsDueJobs(t *testing.T) {
	t.Parallel()
	store, server := mongotest.Open(t, mongotest.WithSelectionTimeout(300*time.Millisecond))
	var log strings.Builder
	c := app.NewScheduler(store, 10*time.Minute, history.DefaultRetention, slog.New(slog.NewTextHandler(&log, nil)))
	begin := time.Date(2026, 3, 20, 22, 0, 0, 0, time.UTC)
	for _, round := range []struct {
		after time.Duration
		done  string
	}{
		{0, "leaderboards statistics sweep history colour"},
		{time.Minute, ""},
		{10 * time.Minute, "leaderboards history colour"},
		{12 * time.Minute, ""},
		{time.Hour, "leaderboards statistics sweep history colour"},
		{2*time.Hour + time.Second, "ranks statistics sweep history colour"},
		{2*time.Hour + 2*time.Second, ""},
		{27 * time.Hour, "ranks statistics sweep history colour"},
	} {
		before := len(log.String())
		c.RunDue(t.Context(), begin.Add(round.after))
		var done []string
		for line := range strings.Lines(log.String()[before:]) {
			if _, name, ok := strings.Cut(line, "job="); ok {
				name, _, _ = strings.Cut(name, " ")
				done = append(done, name)
			}
		}
		if got := strings.Join(done, " "); got != round.done {
			t.Errorf("after %s: got %q, want %q", round.after, got, round.done)
		}
	}
	// A repeated failure is logged once.
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	before := len(log.String())
	for range 3 {
		c.RunDue(t.Context(), begin.Add(48*time.Hour))
	}
	if logged := log.String()[before:]; strings.Count(logged, "\n") != 1 || !strings.Contains(logged, "level=ERROR") {
		t.Errorf("three failures: got the log %s, want one line", logged)
	}
}
