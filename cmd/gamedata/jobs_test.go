package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// The jobs run by hand on a demo world that came ranked.
func TestJobCommands(t *testing.T) {
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
func TestSeedRefreshesLeaderboards(t *testing.T) {
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
