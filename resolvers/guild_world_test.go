package resolvers_test

import (
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// A season is shown from the moment it begins on, and an end of time may be set for it.
func TestSeasonsBegin(t *testing.T) {
	store, _ := mongotest.Open(t)
	begin := time.Date(2026, 3, 20, 18, 0, 0, 0, time.UTC)
	var clock time.Time
	exec := newExecutor(t, resolvers.Settings{Now: func() time.Time { return clock }},
		graph.Options{Loaders: loaders.New(store, loaders.Options{})})
	mongotest.Must(t, mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{
		{Number: 10, StartsAt: begin, Enabled: true},
		{Number: 9, StartsAt: begin.AddDate(0, -3, 0), Enabled: true},
		{Number: 8, StartsAt: begin.AddDate(0, -6, 0)},
	}))
	for at, want := range map[time.Time]string{begin.AddDate(-1, 0, 0): "", begin: "9", begin.Add(time.Second): "9 10"} {
		clock = at
		r := run(t, exec, viewer.Viewer{}, `{guildSeasons{nodes{number}}}`, nil)
		got := strings.Join(strings.FieldsFunc(string(r.Data), func(c rune) bool { return c < '0' || c > '9' }), " ")
		if len(r.Errors) > 0 || got != want {
			t.Errorf("at %v: seasons %s, want %s, %v", at, got, want, r.Errors)
		}
	}
}
