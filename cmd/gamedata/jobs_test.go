package main

import (
	"errors"
	"path/filepath"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
)

// Commands that need something in the store do not create one.
func TestCommandsWithoutStore(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "typo")
	for _, args := range [][]string{{"jobs", "run", "history"}, {"account", "show", "someone"}, {"feed-token", "list"}} {
		expect(t, 1, "there is no store in "+dir, append(args, "--data-dir", dir)...)
	}
	if fileExists(dir) {
		t.Error("the directory was created")
	}
}

// Seeding again refreshes the leaderboards of a world that has none yet.
func TestSeedRefreshesLeaderboards(t *testing.T) {
	t.Parallel()
	dir := apptest.UnrankedDir(t)
	expect(t, 0, "", "seed", "--players", "60", "--seed-days", "0", "--data-dir", dir)
	db, err := app.OpenStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	state, err := jobs.ReadState(t.Context(), db.Store)
	if err := errors.Join(err, db.Close()); err != nil || state.RanksAt.IsZero() || state.Unfinished {
		t.Errorf("got the state %+v, %v, want finished leaderboards", state, err)
	}
	expect(t, 1, "holds players already", "seed", "--players", "60", "--seed-days", "0", "--data-dir", dir)
}
