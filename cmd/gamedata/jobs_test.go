package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The jobs run by hand on a demo world that came ranked.
func TestJobsByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, out, errs := run("seed", "--players", "60", "--data-dir", dir); code != 0 {
		t.Fatal(code, out, errs)
	}
	for _, c := range []struct{ args, says string }{
		{"leaderboards", "leaderboards: looked at "},
		{"leaderboards --full", "leaderboards: looked at 60 players"},
		{"ranks", "ranks: looked at 60 players"},
		{"sweep", "removed 0"},
	} {
		args := append([]string{"jobs", "run"}, strings.Fields(c.args+" --data-dir "+dir)...)
		if code, out, errs := run(args...); code != 0 || !strings.Contains(out, c.says) ||
			!strings.Contains(out, "embedded, in ") {
			t.Errorf("%s ends with %d and says %s%s, want %q", c.args, code, out, errs, c.says)
		}
	}
	// Another instance is at work.
	db, err := app.OpenStore(t.Context(), storeIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	l, err := db.TakeLease(t.Context(), "leaderboards", "another", time.Now(), time.Now().Add(time.Hour))
	if err = errors.Join(err, db.Close()); err != nil || l == nil {
		t.Fatal(l, err)
	}
	if code, _, errs := run("jobs", "run", "ranks", "--data-dir", dir); code != 1 || !strings.Contains(errs,
		"another instance is at work") {
		t.Errorf("beside another: %d %s", code, errs)
	}
}

// A world that was made and not ranked is ranked by the next attempt.
func TestSeedGoesOnToRank(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := run("seed", "--players", "60", "--data-dir", dir); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := run("seed", "--players", "60", "--data-dir", dir); code != 1 || !strings.Contains(errs,
		"holds players already") {
		t.Errorf("a finished world is made again: %d %s", code, errs)
	}
	forget := func(mark func(*mongo.Store) error) {
		t.Helper()
		db, err := app.OpenStore(t.Context(), storeIn(dir))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(mark(db.Store), db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	forget(func(s *mongo.Store) error { return s.SetMark(t.Context(), "leaderboards", jobs.State{}) })
	if code, _, errs := run("seed", "--players", "60", "--data-dir", dir); code != 0 {
		t.Errorf("a world without positions is left so: %d %s", code, errs)
	}
	forget(func(s *mongo.Store) error {
		state, err := jobs.ReadState(t.Context(), s)
		if state.RanksAt.IsZero() || state.Unfinished {
			t.Errorf("the state is %+v", state)
		}
		return err
	})
}

// The clock refreshes what was never computed, leaves alone what is not due, and catches up
// with a day that passed.
func TestClock(t *testing.T) {
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
func TestServeRanks(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := run("seed", "--players", "60", "--data-dir", dir); code != 0 {
		t.Fatal(errs)
	}
	p := start(t, "--data-dir", dir, "--leaderboard-refresh", "1s", "--log-level", "info")
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
