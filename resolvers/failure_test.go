package resolvers_test

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// refused runs a query, with variables or none, that must fail and gives its first error.
func refused(t *testing.T, exec *graph.Executor, query string, vars ...map[string]any) *graph.Error {
	t.Helper()
	r := run(t, exec, viewer.Viewer{}, query, append(vars, nil)[0])
	if len(r.Errors) == 0 {
		t.Fatalf("%s is answered: %s", query, r.Data)
	}
	return graph.ErrorOf(r.Errors[0])
}

// A record that cannot be answered is the documented failure, for it alone.
func TestBrokenRecords(t *testing.T) {
	w := newWorld(t, 10)
	broken := &model.AbilityTree{Key: "assassin", Pages: []*model.AbilityPage{{Page: 1, Abilities: []*model.Ability{
		{Key: "lost", Icon: &model.Icon{Format: "attribute"}, Coordinates: &model.Coordinates{X: 99, Y: 1}},
	}}}}
	mongotest.Must(t, mongo.AbilityTrees.Put(t.Context(), w.store, []*model.AbilityTree{broken}))
	players := w.server.Database(t).Collection("players")
	mongotest.Value(players.UpdateByID(t.Context(), seed.Cast[1].UUID,
		bson.M{"$set": bson.M{"playtime": "long"}}))(t)
	for query, want := range map[string]*graph.Error{
		`{abilityMap(by:{key:ASSASSIN}){page}}`: graph.ErrTreeNotRendered,
		`{player(by:{username:"Salted"}){characterAbilities(by:{uuid:"6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70"}){page}}}`: graph.ErrTreeNotRendered,
		`{player(by:{username:"Salted"}){characters{nodes{abilities{page}}}}}`:                                         graph.ErrTreeNotRendered,
		`{player(by:{username:"Brindle"}){username}}`:                                                                  graph.ErrPlayerNotBuilt,
	} {
		if got := refused(t, w.exec, query); got.Code != want.Code || got.Detail != want.Detail {
			t.Errorf("%s: %s %s, want %s", query, got.Code, got.Detail, want.Detail)
		}
	}
	var data map[string]any
	w.ask(t, `{abilityMap(by:{key:MAGE}){page} player(by:{username:"Salted"}){username} guild(by:{name:"Mossbound Company"}){onlineCount}
		players(filter:{uuids:["`+seed.Cast[1].UUID+`"]}){nodes{username}}}`, nil, &data)
}

// An empty store has no content, and that is no failure.
func TestEmptyStore(t *testing.T) {
	w := newEmpty(t)
	for query, code := range map[string]graph.Code{
		`{guild(by:{prefix:""}){name}}`:     graph.MalformedPrefix,
		`{class(by:{key:MAGE}){id}}`:        graph.NotFound,
		`{abilityTree(by:{key:MAGE}){key}}`: graph.NotFound,
		`{abilityMap(by:{key:MAGE}){page}}`: graph.NotFound,
		`{item(by:{displayName:"a"}){id}}`:  graph.NotFound,
		`{guildSeason(by:{number:1}){id}}`:  graph.NotFound,
	} {
		if got := refused(t, w.exec, query); got.Code != code {
			t.Errorf("%s: %s %s, want %s", query, got.Code, got.Detail, code)
		}
	}
	var data map[string]any
	w.ask(t, `{classes{id} items(page:1){pageNumbers{count pages prev next} nodes{displayName}}
		byName:items(filter:{query:"a"}){totalCount} recipes{totalCount} itemSets{nodes{name}}
		aspects(filter:{classes:[MAGE]}){nodes{name}} itemMetadata{filters{levelRange{minimum}} static{key}}
		onlinePlayers(first:1000){onlineCount nodes{uuid}} guilds{nodes{name}} guildSeasons{nodes{number}}}`, nil, &data)
}
