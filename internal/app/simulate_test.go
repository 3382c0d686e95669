package app_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/jobs"
)

// A service with --demo simulates activity until it ends, without log messages.
func TestDemoIsSimulated(t *testing.T) {
	var args []string
	for _, a := range demo(t) {
		if a != "--demo-still" {
			args = append(args, a)
		}
	}
	p := startService(t, args...)
	requestOK(t, p.base, "GET", "/v3/player/Salted", "")
	if code := p.stop(); code != 0 || p.stderr.String() != "" {
		t.Errorf("ended with %d: %s", code, p.stderr)
	}
}

// A demo world with a fast clock refreshes leaderboards and stores the positions of each day. A later service continues
// from the time that was reached.
func TestSimulatedDays(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	dir := demoDir(t)
	// The simulation begins a minute before midnight, where the jobs are, and not in the middle of the day.
	evening := time.Now().UTC().Add(time.Hour).Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute)
	db, err := app.OpenStore(t.Context(), storeIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = jobs.Ranks(t.Context(), db.Store, evening, jobs.Options{})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat(demoFlags, []string{
		"--data-dir", dir, "--guest-rate", "1000000", "--log-level", "info", "--leaderboard-refresh", "10m",
	})
	args = slices.DeleteFunc(args, func(flag string) bool { return flag == "--demo-still" })
	p := startService(t, append(args, "--demo-speed", "10000")...)
	end := time.After(2 * time.Minute)
	for strings.Count(p.stderr.String(), "job=ranks") < 2 {
		select {
		case <-p.stderr.more:
		case <-end:
			t.Fatalf("got less than two days in 2 minutes: %s", p.stderr)
		}
	}
	if code := p.stop(); code != 0 || strings.Contains(p.stderr.String(), "level=ERROR") {
		t.Fatalf("ended with %d: %s", code, p.stderr)
	}
	p = startService(t, append(args, "--demo-speed", "1", "--leaderboard-refresh", "0")...)
	var data struct {
		Data struct {
			Leaderboard struct{ RefreshedAt time.Time }
			Player      struct{ PreviousRanking []struct{ Position int } }
		}
	}
	body := requestOK(
		t,
		p.base,
		"POST",
		"/graphql",
		graphqlBody(`{
			leaderboard(type: "totalGlobalLevel") { refreshedAt }
			player(by:{username:"Salted"}) { previousRanking { position } }
		}`),
	)
	if err := json.Unmarshal(body, &data); err != nil {
		t.Fatal(err)
	}
	if reached := data.Data.Leaderboard.RefreshedAt; reached.Before(evening.Add(24*time.Hour)) ||
		len(data.Data.Player.PreviousRanking) == 0 {
		t.Errorf("the leaderboards were refreshed at %s, want a day after %s: %s", reached, evening, body)
	}
}
