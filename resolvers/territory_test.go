package resolvers_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// executorAt returns an executor over a store with a clock.
func executorAt(t testing.TB, store *mongo.Store, now func() time.Time) *graph.Executor {
	t.Helper()
	source := loaders.New(store, loaders.Options{Now: now, Log: slog.New(slog.DiscardHandler)})
	return newExecutor(t, resolvers.Settings{Now: now}, graph.Options{Loaders: source})
}

func answer[T any](t testing.TB, exec *graph.Executor, v viewer.Viewer, query string) T {
	t.Helper()
	var out T
	read(t, run(t, exec, v, query, nil), &out)
	return out
}

type territory struct {
	Name, Treasury string
	GuildUUID      *string
	GuildColour    *string
	Guild          *struct {
		Name, Colour   string
		TerritoryCount int
		Territories    struct{ Nodes []struct{ Name string } }
		Headquarters   *struct{ Name string }
	}
	GuildHeadquartersName *string
	LinkNames             []string
	Links                 []struct{ Name string }
}

// Edges agree with what they were made of, and a guild's territories with the filter.
func TestTerritoryEdges(t *testing.T) {
	w := newWorld(t, 60)
	type data struct{ Territories struct{ Nodes []territory } }
	all := answer[data](t, w.exec, viewer.Viewer{}, `{territories(first:1000){nodes{name treasury guildUuid
		guildColour guildHeadquartersName linkNames links{name}
		guild{name colour territoryCount territories(first:1000){nodes{name}} headquarters{name}}}}}`).Territories.Nodes
	held, free, seated := map[string][]string{}, 0, 0
	for _, x := range all {
		var linked []string
		for _, l := range x.Links {
			linked = append(linked, l.Name)
		}
		if d := cmp.Diff(x.LinkNames, linked); d != "" {
			t.Errorf("%s is linked to others: %s", x.Name, d)
		}
		if x.GuildUUID == nil {
			free++
			if x.Guild != nil || x.GuildColour != nil || x.Treasury != "VERY_LOW" {
				t.Errorf("%s is free: %+v", x.Name, x)
			}
			continue
		}
		held[*x.GuildUUID] = append(held[*x.GuildUUID], x.Name)
		if (x.Guild.Headquarters == nil) != (x.GuildHeadquartersName == nil) || x.GuildHeadquartersName != nil &&
			x.Guild.Headquarters.Name != *x.GuildHeadquartersName {
			t.Errorf("%s: headquarters %v, %v", x.Name, x.Guild.Headquarters, x.GuildHeadquartersName)
		}
		if *x.GuildColour != x.Guild.Colour {
			t.Errorf("%s: colour %s, want %s", x.Name, *x.GuildColour, x.Guild.Colour)
		}
		if x.GuildHeadquartersName != nil {
			seated++
		}
	}
	if free == 0 || seated == 0 || len(held) < 4 {
		t.Errorf("%d territories are free, %d have headquarters, %d guilds hold one", free, seated, len(held))
	}
	for guild, names := range held {
		only := answer[data](t, w.exec, viewer.Viewer{}, `{territories(first:1000,filter:{guilds:["`+strings.ToUpper(guild)+
			`"]}){nodes{name guild{territoryCount territories(first:1000){nodes{name}}}}}}`).Territories.Nodes
		var filtered, edge []string
		for _, x := range only {
			filtered = append(filtered, x.Name)
		}
		for _, x := range only[0].Guild.Territories.Nodes {
			edge = append(edge, x.Name)
		}
		if d := cmp.Diff(names, filtered) + cmp.Diff(names, edge); d != "" || only[0].Guild.TerritoryCount != len(names) {
			t.Errorf("%s: %s", guild, d)
		}
	}
	if none := answer[data](t, w.exec, viewer.Viewer{},
		`{territories(filter:{guilds:["00000000-0000-4000-8000-000000000000"]}){nodes{name}}}`); none.Territories.Nodes == nil ||
		len(none.Territories.Nodes) != 0 {
		t.Errorf("territories without a holder: got %v", none.Territories.Nodes)
	}
}

// Ground may start at either corner; its edges belong to it.
func TestWorldEventTerritory(t *testing.T) {
	store, _ := mongotest.Open(t)
	ground := func(name string, start, end []int) *model.Territory {
		return &model.Territory{Name: name, Guild: &model.TerritoryGuild{}, Location: &model.Area{
			StartCorner: start,
			EndCorner:   end,
		}}
	}
	mongotest.Must(t, store.Territories.Put(t.Context(), []*model.Territory{
		ground("A", []int{10, -10}, []int{0, -20}),
		ground("B", []int{5, -15}, []int{30, 0}),
		{Name: "C"},
	}))
	at := func(x, z int) *model.Position { return &model.Position{X: float64(x), Y: 60, Z: float64(z)} }
	cases := []struct {
		places []*model.WorldEventPlace
		want   string
	}{
		{[]*model.WorldEventPlace{{Event: at(0, -20)}}, "A"},
		{[]*model.WorldEventPlace{{Event: at(10, -10)}}, "A"},
		{[]*model.WorldEventPlace{{Event: at(11, -10)}}, "B"},
		{[]*model.WorldEventPlace{{Event: at(-1, -20)}}, ""},
		{[]*model.WorldEventPlace{{Spawn: at(30, 0), Reward: at(1, -19)}}, "B"},
		{[]*model.WorldEventPlace{{Reward: at(1, -19)}}, "A"},
		{[]*model.WorldEventPlace{{}, {Event: at(99, 99)}, {Event: at(20, -1)}}, "B"},
		{[]*model.WorldEventPlace{{}}, ""},
		{nil, ""},
	}
	var events []*model.WorldEvent
	for _, c := range cases {
		events = append(events, &model.WorldEvent{Places: c.places})
	}
	mongotest.Must(t, mongo.WorldEvents.Put(t.Context(), store, events))
	got := answer[struct {
		WorldEvents struct {
			Nodes []struct{ Territory *struct{ Name string } }
		}
	}](t, executorAt(t, store, time.Now), viewer.Viewer{}, `{worldEvents{nodes{territory{name}}}}`)
	for i, c := range cases {
		name := ""
		if g := got.WorldEvents.Nodes[i].Territory; g != nil {
			name = g.Name
		}
		if name != c.want {
			t.Errorf("event %d lies in %q, want %q", i, name, c.want)
		}
	}
}
