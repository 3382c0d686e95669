package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
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
	dir := t.TempDir()
	args := []string{
		"--demo", "--players", "60", "--data-dir", dir, "--guest-rate", "1000000", "--log-level", "info",
		"--leaderboard-refresh", "10m",
	}
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
	if offset := time.Until(data.Data.Leaderboard.RefreshedAt); offset < 24*time.Hour ||
		len(data.Data.Player.PreviousRanking) == 0 {
		t.Errorf("got the world's clock %s in the future, want at least a day: %s", offset, body)
	}
}
