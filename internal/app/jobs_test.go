package app_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/history"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The scheduler runs jobs that never ran, skips jobs that are not due, and catches up after a day.
func TestSchedulerRunsDueJobs(t *testing.T) {
	t.Parallel()
	store, server := mongotest.Open(t, mongotest.WithSelectionTimeout(300*time.Millisecond))
	log := apptest.NewOutput()
	c := app.NewScheduler(store, 10*time.Minute, history.DefaultRetention, slog.New(slog.NewTextHandler(log, nil)))
	begin := time.Date(2026, 3, 20, 22, 0, 0, 0, time.UTC)
	for _, round := range []struct {
		after time.Duration
		done  string
	}{
		{0, "leaderboards statistics sweep history"},
		{time.Minute, ""},
		{10 * time.Minute, "leaderboards history"},
		{12 * time.Minute, ""},
		{time.Hour, "leaderboards statistics sweep history"},
		{2*time.Hour + time.Second, "ranks statistics sweep history"},
		{2*time.Hour + 2*time.Second, ""},
		{27 * time.Hour, "ranks statistics sweep history"},
	} {
		before := len(log.String())
		c.RunDue(t.Context(), begin.Add(round.after))
		var done []string
		for line := range strings.Lines(log.String()[before:]) {
			if _, name, ok := strings.Cut(line, "job="); ok {
				name, _, _ = strings.Cut(name, " ")
				done = append(done, name)
			}
		}
		if got := strings.Join(done, " "); got != round.done {
			t.Errorf("after %s: got %q, want %q", round.after, got, round.done)
		}
	}
	// A repeated failure is logged once.
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	before := len(log.String())
	for range 3 {
		c.RunDue(t.Context(), begin.Add(48*time.Hour))
	}
	if logged := log.String()[before:]; strings.Count(logged, "\n") != 1 || !strings.Contains(logged, "level=ERROR") {
		t.Errorf("three failures: got the log %s, want one line", logged)
	}
}

// An instance works on the full refresh of another one, until that instance has no more tasks or ends.
func TestSchedulerHelps(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	log := apptest.NewOutput()
	c := app.NewScheduler(store, time.Hour, history.DefaultRetention, slog.New(slog.NewTextHandler(log, nil)))
	if c.Help(t.Context()) || log.String() != "" {
		t.Errorf("without a refresh: %s", log)
	}
	if err := store.Players.Put(t.Context(), []*model.Player{{UUID: mongotest.UUID(1), Username: "Salted"}}); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	lease, err := store.Leases.Take(t.Context(), "leaderboards", "another", begun, begun.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Boards.InsertTasks(t.Context(), []*mongo.BoardTask{
		{ID: "1/0000", Phase: 1, Of: mongo.RankedPlayers, To: 1 << 16, At: begun, First: 16, Epoch: 16},
	}); err != nil {
		t.Fatal(err)
	}
	helped := make(chan bool)
	go func() { helped <- c.Help(t.Context()) }()
	for done := false; !done; {
		tasks, err := store.Boards.Tasks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done = tasks[0].Done
	}
	if err := store.Leases.Extend(t.Context(), lease, begun); err != nil {
		t.Fatal(err)
	}
	if <-helped || !strings.Contains(log.String(), "looked at 1 players") {
		t.Errorf("got the log %s", log)
	}
	if found, err := store.Standings.ByUUID(t.Context(), mongo.RankedPlayers, []string{mongotest.UUID(1)}); err != nil ||
		found[0] == nil {
		t.Errorf("the player has no standing: %v", err)
	}
}
