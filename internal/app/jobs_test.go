package app_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/mongo/mongotest"
)

// The clock refreshes what was never computed, leaves alone what is not due, and catches up
// with a day that passed.
func TestSchedulerRunsDueJobs(t *testing.T) {
	t.Parallel()
	store, server := mongotest.Open(t)
	log := newOutput()
	c := app.NewScheduler(store, 10*time.Minute, slog.New(slog.NewTextHandler(log, nil)))
	begin := time.Date(2026, 3, 20, 22, 0, 0, 0, time.UTC)
	for _, round := range []struct {
		after time.Duration
		done  string
	}{
		{0, "leaderboards sweep"},
		{time.Minute, ""},
		{10 * time.Minute, "leaderboards"},
		{12 * time.Minute, ""},
		{time.Hour, "leaderboards sweep"},
		{2*time.Hour + time.Second, "ranks sweep"},
		{2*time.Hour + 2*time.Second, ""},
		{27 * time.Hour, "ranks sweep"},
	} {
		before := len(log.String())
		c.RunDue(t.Context(), begin.Add(round.after))
		var done []string
		for line := range strings.Lines(log.String()[before:]) {
			_, name, _ := strings.Cut(line, "job=")
			name, _, _ = strings.Cut(name, " ")
			done = append(done, name)
		}
		if got := strings.Join(done, " "); got != round.done {
			t.Errorf("after %s: %q is done, want %q", round.after, got, round.done)
		}
	}
	// A failure is told once, and so is the next one after it worked again.
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	before := len(log.String())
	for range 3 {
		c.RunDue(t.Context(), begin.Add(48*time.Hour))
	}
	if said := log.String()[before:]; strings.Count(said, "\n") != 1 || !strings.Contains(said, "level=ERROR") {
		t.Errorf("three failures are told as %s", said)
	}
}

// The clock of a running service works, and the service ends cleanly beside it.
func TestServiceRunsJobs(t *testing.T) {
	t.Parallel()
	dir := demoDir(t)
	p := startService(t, "--data-dir", dir, "--leaderboard-refresh", "1s", "--log-level", "info")
	for !strings.Contains(p.stderr.String(), "job=sweep") {
		select {
		case <-p.stderr.more:
		case <-time.After(time.Minute):
			t.Fatalf("no job ran: %s", p.stderr)
		}
	}
	if code := p.stop(); code != 0 {
		t.Errorf("the service ended with %d: %s", code, p.stderr)
	}
}
