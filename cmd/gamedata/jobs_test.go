package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// The jobs command runs each job on a demo world.
func TestJobCommands(t *testing.T) {
	t.Parallel()
	dir := apptest.DemoDir(t)
	for _, c := range []struct{ args, says string }{
		{"leaderboards", "leaderboards: looked at "},
		{"leaderboards --full", "leaderboards: looked at 60 players"},
		{"ranks", "ranks: looked at 60 players"},
		{"sweep", "sweep: looked at "},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := append([]string{"jobs", "run"}, strings.Fields(c.args+" --data-dir "+dir)...)
			if said := expect(t, 0, c.says, args...); !strings.Contains(said, "embedded, in ") {
				t.Errorf("%s: got %s, want the name of the store", c.args, said)
			}
		})
	}
	// Another instance is at work. Its lease ends with the run of the embedded server.
	server, err := embedded.Open(dir, embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	o := conn.Options{URI: server.URI(), Dialer: server, Timeout: 20 * time.Second}
	db, err := mongo.Open(t.Context(), mongo.Options{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(db.Close(t.Context()), server.Close()); err != nil {
			t.Error(err)
		}
	}()
	l, err := db.Leases.Take(t.Context(), "leaderboards", "another", time.Hour)
	err = errors.Join(err, server.Listen())
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	expect(t, 1, "another instance is at work", "jobs", "run", "ranks", "--data-dir", dir)
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
