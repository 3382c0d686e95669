package api

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
)

// A demo world with a fast clock refreshes leaderboards and stores the positions of each day. A later service continues
// from the time that was reached, which is the time of its responses and pages.
func TestSimulatedDays(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	dir := apptest.DemoDir(t)
	// The simulation begins a minute before midnight, where the jobs are, and not in the middle of the day.
	evening := time.Now().UTC().Add(time.Hour).Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute)
	db, err := app.OpenStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = jobs.Ranks(t.Context(), db.Store, evening, jobs.Options{})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat(apptest.DemoFlags, []string{
		"--data-dir", dir, "--log-level", "info", "--leaderboard-refresh", "10m",
	})
	p := apptest.Start(t, append(args, "--demo-speed", "10000")...)
	apptest.Await(t, "two days", func() bool { return strings.Count(p.Stderr.String(), "job=ranks") >= 2 })
	if code := p.Stop(); code != 0 || strings.Contains(p.Stderr.String(), "level=ERROR") {
		t.Fatalf("ended with %d: %s", code, p.Stderr)
	}
	p = apptest.Start(t, append(args, "--demo-speed", "1", "--leaderboard-refresh", "0")...)
	data := apptest.Query[struct {
		Leaderboard struct{ RefreshedAt time.Time }
		Player      struct{ PreviousRanking []struct{ Position int } }
		Territories struct{ RefreshedAt time.Time }
	}](t, p.Base, `{
		leaderboard(by: {type: "totalGlobalLevel"}) { refreshedAt }
		player(by:{username:"Salted"}) { previousRanking { position } }
		territories(first: 1) { refreshedAt }
	}`)
	if reached := data.Leaderboard.RefreshedAt; reached.Before(evening.Add(24*time.Hour)) ||
		len(data.Player.PreviousRanking) == 0 || data.Territories.RefreshedAt.Before(reached) {
		t.Errorf("the leaderboards were refreshed at %s, want a day after %s", reached, evening)
	}
	for _, path := range []string{"/worlds", "/playground"} {
		page := string(apptest.Get(t, p.Base+path).Body)
		if !strings.Contains(page, `<meta name="clock" content="`) && !strings.Contains(page, "<title>Not built") { // without npm
			t.Errorf("%s does not name the clock of the game", path)
		}
	}
}
