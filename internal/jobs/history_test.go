package jobs_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The history begins with everybody, then has a point of each active player, once an hour; worlds have one every ten
// minutes. What is recorded already is not written again.
func TestHistory(t *testing.T) {
	w := newWorld(t, 60)
	mongotest.Value(w.raw.Collection("history").DeleteMany(t.Context(), bson.D{}))(t) // of the demo world
	at := now.Add(36*time.Hour + 7*time.Minute)
	run := func(at time.Time) jobs.Report {
		t.Helper()
		return mongotest.Value(jobs.History(t.Context(), w.Store, at, jobs.Options{}))(t)
	}
	due := func(at time.Time) bool {
		t.Helper()
		_, due, err := jobs.HistoryState(t.Context(), w.Store, at)
		mongotest.Must(t, err)
		return due
	}
	points := func(of mongo.Recorded, key string) []mongo.HistoryPoint {
		t.Helper()
		span := mongo.HistorySpan{Key: key, From: now, To: at.Add(48 * time.Hour)}
		return mongotest.Value(w.History.Of(t.Context(), of, span))(t)[0]
	}
	players, guilds := w.all(t, mongo.RankedPlayers), w.all(t, mongo.RankedGuilds)
	if !due(at) {
		t.Error("not due at first")
	}
	if r := run(at); r.Players < len(players) || r.Guilds != len(guilds) || r.Points <= len(players) {
		t.Errorf("first run: %s, of %d players and %d guilds", r, len(players), len(guilds))
	}
	if due(at.Add(time.Minute)) || !due(at.Add(3*time.Minute)) {
		t.Error("want a run when ten minutes of the clock are over")
	}
	if r := run(at.Add(time.Minute)); r.Players != 0 || r.Points != 0 {
		t.Errorf("the same minutes again: %s", r)
	}

	joined := at.Add(30 * time.Minute)
	w.set(t, "players", players[0], bson.D{
		{Key: "lastJoin", Value: joined}, {Key: "globalData.wars", Value: 4711}, {Key: "online", Value: false},
	})
	w.set(t, "guilds", guilds[0], bson.D{{Key: "level", Value: 99}})
	if r := run(at.Add(time.Hour)); r.Players == 0 || r.Players >= len(players) {
		t.Errorf("an hour later: %s", r)
	}
	got := points(mongo.RecordedPlayer, players[0])
	if len(got) != 1 || got[0].Values[history.Wars] != 4711 || !got[0].At.Equal(at.Truncate(24*time.Hour)) {
		t.Errorf("got %v, want one point of the day with 4711 wars", got)
	}
	if got := points(mongo.RecordedGuild, guilds[0]); len(got) != 1 || got[0].Values[history.Level] != 99 {
		t.Errorf("got %v, want one point of the day with level 99", got)
	}
	if got := points(mongo.RecordedWorlds, history.AllWorlds); len(got) == 0 {
		t.Error("no point of the worlds")
	}

	midnight := at.Truncate(24 * time.Hour).Add(24 * time.Hour)
	run(midnight.Add(-20 * time.Minute))
	w.set(t, "guilds", guilds[0], bson.D{{Key: "level", Value: 100}})
	run(midnight.Add(-9 * time.Minute))
	if r := run(midnight.Add(-time.Minute)); r.Guilds != 0 {
		t.Errorf("the last ten minutes of the day again: %s", r)
	}
	w.set(t, "guilds", guilds[0], bson.D{{Key: "level", Value: 101}})
	run(midnight.Add(time.Minute))
	if got := points(mongo.RecordedGuild, guilds[0]); len(got) != 2 || got[0].Values[history.Level] != 100 {
		t.Errorf("got %v, want the level 100 as the last of the day", got)
	}
}

// On Monday a guild that captured or lost something has an event of its week, once.
func TestWeekEvents(t *testing.T) {
	w := newWorld(t, 60)
	mongotest.Value(w.raw.Collection("history").DeleteMany(t.Context(), bson.D{}))(t) // of the demo world
	monday := time.Date(2026, 3, 30, 0, 30, 0, 0, time.UTC)
	guild := w.all(t, mongo.RankedGuilds)[0]
	w.set(t, "guilds", guild, bson.D{{Key: "captured", Value: 100}, {Key: "lost", Value: 40}})
	w.run(t, jobs.History, now, jobs.Options{})
	w.set(t, "guilds", guild, bson.D{{Key: "captured", Value: 105}, {Key: "lost", Value: 42}})
	for _, at := range []time.Time{monday.Add(-time.Hour), monday, monday.Add(time.Hour)} {
		w.run(t, jobs.History, at, jobs.Options{})
	}
	var got []model.EventData
	for _, e := range mongotest.Events(t, w.Store) {
		if _, ok := e.Data.(*model.GuildWeekEnded); ok {
			got = append(got, mongotest.Recorded(e))
		}
	}
	want := []model.EventData{&model.GuildWeekEnded{Guild: guild, Week: "2026-W13", Captured: 5, Lost: 2}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
