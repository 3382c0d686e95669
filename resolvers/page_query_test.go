package resolvers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/web"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// warPage is the page of the guild that addWarParty stores.
const warPage = `{guild(by:{name:"war party"}){id level onlineCount wars territoryCount
	headquarters{name} territories(first:400){nodes{name treasury resources{type stored} links{name guildPrefix}}}
	fighters:members(filter:{online:true},orderBy:{field:WARS,direction:DESC},first:100){
		totalCount nodes{id username rank world wars player{username}}}
	captains:members(filter:{ranks:[CAPTAIN]},first:100){totalCount nodes{username online}}}}`

// addWarParty stores a guild with a hundred members, of whom thirty are online.
func addWarParty(t *testing.T, store *mongo.Store) {
	t.Helper()
	const guild = "c0000000-0000-4000-8000-000000000002"
	var players []*model.Player
	for n := range 100 {
		players = append(players, &model.Player{
			UUID: fmt.Sprintf("d0000000-0000-4000-9000-%012d", n), Username: fmt.Sprintf("Fighter%02d", n), Online: n < 30,
			World: new("WC1"), Guild: &model.GuildReference{UUID: guild, Rank: new("CAPTAIN")},
		})
	}
	mongotest.Must(t,
		store.Guilds.Insert(t.Context(), []*model.Guild{{UUID: guild, Name: "War Party", Prefix: "WAR", Level: 7}}),
		store.Players.Insert(t.Context(), players),
	)
}

// searchPage selects every category of a search with edges of what was found.
const searchPage = `{search(query:"s"){isEmpty totalCount
	players(first:20){nodes{username rank{key} guild{name prefix level}}}
	guilds(first:50){nodes{name level banner{base} headquarters{name}} byPrefix{name}}
	items(first:20){totalCount pageInfo{endCursor} nodes{displayName tier{key} sets{name} lootPools{name}
		recipes{internalName}}}
	territories(first:20){nodes{name guild{name level}}} discoveries(first:20){nodes{name location{start{x}}}}}}`

// The pages of a front end take at most five store commands each, one more with charts of the past, and one more for
// lookups of names of players. Records are not cached here; what an instance reads once for all requests, such as
// content, is in memory.
func TestPagesTakeFiveCommands(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 300)
	addWarParty(t, w.store)
	const examples = "../internal/web/console/examples/"
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	site := web.LoadOperations(exec, os.DirFS("../internal/web/site"))
	salted := map[string]any{"username": "Salted"}
	for _, c := range []struct {
		name, query string
		vars        map[string]any
		shows       string // in the response
		more        int64  // commands for the past, and for lookups
	}{
		{"player", fileText(t, examples+"frontend/PlayerPage.graphql"), nil, `"rankMovement":[{`, 1},
		{"player on the site", site["PlayerPage"].Document, salted, `"guildHistory":[{`, 7},
		{"guild during a war", fileText(t, examples+"frontend/GuildWar.graphql"), nil, `"treasury":`, 0},
		{"guild of a hundred members during a war", warPage, nil, `"captains":{"totalCount":100`, 0},
		{"item finder", fileText(t, examples+"frontend/ItemFinder.graphql"), nil, `"sets":[`, 0},
		{"leaderboard", fileText(t, examples+"analyst/LeaderboardMovement.graphql"), nil, `"movement":`, 0},
		{
			"leaderboard around a player",
			`query($of:UUID!){leaderboard(by:{type:"warsCompletion"}){type refreshedAt entryCount entries(first:11,around:$of){
				nodes{id position name score previousPosition movement
				... on PlayerLeaderboardEntry{player{uuid world guildMembership{guildPrefix}}}}
				pageInfo{hasNextPage endCursor}}}}`,
			map[string]any{"of": seed.Cast[0].UUID},
			`"name":"Salted"`,
			0,
		},
		{"search", searchPage, nil, `"username":"Salted","rank":{"key":"PLAYER"},"guild":{"name":"Mossbound Company"`, 1},
		{"search on the site", site["SearchPage"].Document, map[string]any{"query": "s"}, `"username":"Salted"`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var data json.RawMessage
			n := w.least(t, 5+c.more, c.query, c.vars, &data)
			if n > 5+c.more {
				t.Errorf("the page took %d commands, want %d at most", n, 5+c.more)
			}
			t.Logf("%d store commands", n)
			if !strings.Contains(string(data), c.shows) {
				t.Errorf("the page does not show %s: %s", c.shows, data)
			}
		})
	}
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	text := mongotest.Value(os.ReadFile(name))(t)
	return string(text)
}
