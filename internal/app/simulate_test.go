package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// serve --demo plays until it ends, without a word in the log.
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

// A demo world whose clock runs fast lives its days: boards are refreshed, positions of a day
// are cached, and a service that starts later goes on from the moment that was reached.
func TestSimulatedDays(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
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
			t.Fatalf("no two days passed: %s", p.stderr)
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
		`{"query":"{leaderboard(type:\"totalGlobalLevel\"){refreshedAt} player(username:\"Salted\"){previousRanking{position}}}"}`,
	)
	if err := json.Unmarshal(body, &data); err != nil {
		t.Fatal(err)
	}
	if ahead := time.Until(data.Data.Leaderboard.RefreshedAt); ahead < 24*time.Hour ||
		len(data.Data.Player.PreviousRanking) == 0 {
		t.Errorf("the world is %s ahead: %s", ahead, body)
	}
}
