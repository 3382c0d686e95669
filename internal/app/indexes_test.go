package app

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"gamedata/internal/telemetry"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Readiness reports an index that is missing until it is built, and a list of indexes that cannot be read. A comparison
// that the end of the service interrupts changes nothing.
func TestIndexCheck(t *testing.T) {
	store, server := mongotest.Open(t)
	var log strings.Builder
	c := &indexCheck{store: store, log: slog.New(slog.NewTextHandler(&log, nil))}
	expect := func(when string, want telemetry.Health, text string) {
		t.Helper()
		if state, note := c.health(t.Context()); state != want || !strings.Contains(note, text) {
			t.Errorf("%s: got %s %q, want %s %q", when, state, note, want, text)
		}
	}
	expect("before", telemetry.Healthy, "not compared yet")
	c.compare(t.Context())
	expect("with all indexes", telemetry.Healthy, "")

	players := server.Database(t).Collection(mongo.Players)
	if err := players.Indexes().DropOne(t.Context(), "updatedAt_1__id_1"); err != nil {
		t.Fatal(err)
	}
	c.compare(t.Context())
	c.compare(t.Context())
	expect("without an index", telemetry.Degraded, "run gamedata migrate")
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("logged %d times: %s", n, log.String())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c.compare(ended)
	expect("after an interrupted comparison", telemetry.Degraded, "run gamedata migrate")
}
