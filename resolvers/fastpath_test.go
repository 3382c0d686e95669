package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/content"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// everything selects all fields without arguments of a type, to a depth.
func everything(schema *ast.Schema, name string, depth int) string {
	var out strings.Builder
	for _, f := range schema.Types[name].Fields {
		if len(f.Arguments) > 0 || strings.HasPrefix(f.Name, "__") {
			continue
		}
		switch below := schema.Types[f.Type.Name()]; {
		case len(below.Fields) == 0:
			out.WriteString(f.Name + " ")
		case depth > 1:
			out.WriteString(f.Name + "{__typename " + everything(schema, below.Name, depth-1) + "} ")
		}
	}
	return out.String()
}

// The fast path writes the same data, errors and restrictions as gqlgen, for players who hide nothing and
// those who do.
func TestFastPathMatchesGqlgen(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	w := newWorld(t, 45)
	source := loaders.New(w.store, loaders.Options{Purges: w.purges})
	slow := newExecutor(t, resolvers.Settings{}, graph.Options{Loaders: source, DisableFastPath: true})
	all := func(name string, depth int) string { return everything(w.exec.Schema(), name, depth) }
	queries := map[string]string{
		"merged": `query($s:Boolean!){a:player(by:{username:"Salted"}){...G} b:player(by:{username:"Salted"}){...G totals{wars}} c:player(by:{username:"Salted"}){...G totals{totalLevel dungeons @skip(if:$s){total}}}}
			fragment G on Player{totals{chestsFound dungeons{list{name}}}}`,
		"entries": `{leaderboard(by:{type:"warsCompletion"}){entryCount entries(first:20){totalCount nodes{__typename id position name score movement uuid ... on PlayerLeaderboardEntry{player{username rank{key}}}} edges{cursor node{position}}}}}`,
		"words":   `{x:classes{i:id __typename n:name} classes{id}}`,
		"items":   `{items(page:1,first:100000){pageNumbers{count} totalCount nodes{` + all("Item", 2) + `}}}`,
		"sets":    `{itemSets{nodes{` + all("ItemSet", 2) + `}}}`,
		"recipes": `{recipes(page:1){edges{cursor node{` + all("Recipe", 2) +
			`}}}}`,
		"tree":        `{abilityTree(by:{key:ARCHER}){` + all("AbilityTree", 2) + `}}`,
		"loot":        `{lootPools(first:100){nodes{` + all("LootPool", 3) + `}}}`,
		"seasons":     `{guildSeasons{nodes{` + all("GuildSeason", 3) + `}}}`,
		"events":      `{worldEvents(first:100){nodes{` + all("WorldEvent", 2) + `}}}`,
		"news":        `{latestNews{nodes{` + all("NewsEntry", 2) + `}} videos{edges{cursor node{` + all("Video", 2) + `}}}}`,
		"nodes":       `{gatheringNodes(first:17000){totalCount nodes{` + all("GatheringNode", 2) + `}} mapMarkers{nodes{` + all("MapMarker", 2) + `}}}`,
		"schema":      `{__schema{types{name kind fields{name type{name kind}}}}}`,
		"territories": `{territories(first:50){nodes{` + all("Territory", 2) + `} edges{cursor node{name}} pageInfo{endCursor}}}`,
		"guilds":      `{guilds{nodes{id name uuid prefix} totalCount} more:guilds{edges{cursor node{level wars}}}}`,
		"guild":       `{guild(by:{name:"Mossbound Company"}){` + all("Guild", 3) + ` members{nodes{` + all("GuildMember", 2) + `}}}}`,
	}
	for _, name := range []string{"Salted", "Veiled", "Blank", "Showcase", "Journeyer"} {
		m := member(name)
		queries["player "+m.Username] = fmt.Sprintf(`{player(by:{username:%q}){%s}}`, m.UUID, all("Player", 3))
	}
	compare := func(name, query string, v viewer.Viewer, vars map[string]any) {
		t.Helper()
		var texts [2]string
		for i, exec := range []*graph.Executor{w.exec, slow} {
			r := run(t, exec, v, query, vars)
			extra := mongotest.Value(json.Marshal([]any{r.Errors, r.Extensions}))(t)
			texts[i] = string(r.Data) + string(extra)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s as %s: %s", name, v.Kind, cmp.Diff(texts[1], texts[0]))
		}
	}
	for name, query := range queries {
		for _, v := range []viewer.Viewer{{Kind: viewer.Guest}, {
			Kind: viewer.Token, Account: "a", Profiles: []string{member("Veiled").UUID},
		}} {
			for _, vars := range []map[string]any{{"s": true}, {"s": false}, {"s": true}} {
				compare(name, query, v, vars)
				if name != "merged" {
					break
				}
			}
		}
	}
	// A plan cannot write a value that the enum lacks.
	item := *content.Read[model.Item]("items")[0]
	item.InternalName, item.AttackSpeed = "no such speed", new("no such speed")
	mongotest.Must(t, mongo.Items.Put(t.Context(), w.store, []*model.Item{&item}))
	compare("unknown value", `{items(page:1,first:100000){nodes{internalName attackSpeed}}}`,
		viewer.Viewer{Kind: viewer.Guest}, nil)
}
