package app

import (
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/demo/seed"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Of several instances that start on an empty store one creates the demo world and the others wait; then all serve it.
func TestOneInstanceCreatesTheDemoWorld(t *testing.T) {
	t.Parallel()
	first, server := mongotest.Open(t)
	second := mongotest.OpenOn(t, server)
	o := seed.Options{Players: 40, Seed: 1, Days: 1, Now: time.Date(2026, 3, 20, 10, 0, 0, 0, time.UTC)}
	var progress, log httpapitest.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	var both sync.WaitGroup
	for _, store := range []*mongo.Store{first, second} {
		both.Go(func() {
			if err := ensureDemo(t.Context(), store, o, "", &progress, logger); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if n := strings.Count(progress.String(), "creating the demo world"); n != 1 {
		t.Errorf("the world was created %d times", n)
	}
	if n := strings.Count(log.String(), "waiting for another instance"); n > 1 {
		t.Errorf("the wait was logged %d times: %s", n, log.String())
	}
	state, err := jobs.ReadState(t.Context(), second)
	if !state.RanksAt.Equal(o.Now.Truncate(24*time.Hour)) || err != nil {
		t.Errorf("got %+v, %v, want the positions of the last midnight of the past", state, err)
	}
	if n, err := second.Players.EstimateCount(t.Context()); n != 40 || err != nil {
		t.Errorf("got %d players, %v", n, err)
	}
	if lacks, err := lacksDemo(t.Context(), second); lacks || err != nil {
		t.Errorf("the world lacks something: %v, %v", lacks, err)
	}
}

// A lease of a process that died delays the start until it expires, and does not fail it.
func TestStartWaitsForADeadLease(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	begun := time.Now()
	const left = 600 * time.Millisecond
	for _, name := range []string{"demo", "leaderboards"} {
		if _, err := store.Leases.Take(t.Context(), name, "dead", left); err != nil {
			t.Fatal(err)
		}
	}
	var log httpapitest.Buffer
	o := seed.Options{Players: 40, Seed: 1, Now: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)}
	if err := ensureDemo(t.Context(), store, o, "", io.Discard, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(begun); waited < left || strings.Count(log.String(), "waiting for another instance") != 1 {
		t.Errorf("waited %s, logged %q", waited, log.String())
	}
}
