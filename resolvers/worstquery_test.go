package resolvers_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// maxCommands is the number of store commands that no operation exceeds.
const maxCommands = 60

// No operation sends more than maxCommands commands: of each root field, each field below it and below that is
// selected, of as many entries as the cost allows. Once is read without an error; seven times with other arguments may
// exceed the limit of reads, and are rejected then.
func TestWorstQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	w := newWorstWorld(t, 120)
	ids := strings.NewReplacer("PLAYER\"", seed.Cast[0].UUID+`"`, "GUILD", manyGuilds()[0].UUID)
	for _, query := range byHand {
		r, n := w.count(t, ids.Replace(query), nil)
		if t.Logf("%d commands: %s", n, query); n > maxCommands || len(r.Errors) > 0 {
			t.Errorf("%d commands, errors %v: %s", n, r.Errors, query)
		}
	}
	g := newWorstQueries(w)
	for _, root := range g.roots() {
		t.Run(root.Name, func(t *testing.T) {
			for query, aliases := range g.queries(root) {
				r, n := w.count(t, query, nil)
				if n > maxCommands {
					t.Errorf("%d commands: %s", n, query)
				}
				for _, err := range r.Errors {
					if code := graph.ErrorOf(err).Code; aliases == 1 || code != graph.LimitExceeded {
						t.Errorf("%s: %v", query, err)
						break
					}
				}
			}
		})
	}
}

func newWorstWorld(t testing.TB, players int) *world {
	store, server := mongotest.OpenFilled(t, fmt.Sprint("worst", players), func(ctx context.Context, store *mongo.Store) error {
		if err := seedWorld(players)(ctx, store); err != nil {
			return err
		}
		if err := store.Guilds.Insert(ctx, manyGuilds()); err != nil {
			return err
		}
		_, err := jobs.Refresh(ctx, store, now, jobs.Options{Full: true})
		return err
	})
	return onStore(t, store, server)
}

// What no batch prevents is stopped with an error that says so.
func TestTooManyReads(t *testing.T) {
	w := newRankedWorld(t, 60)
	var query strings.Builder
	for i := range 30 {
		fmt.Fprintf(&query, `a%d: leaderboard(by: {type: "guildWars"}) {entries(around: "%s", first: %d) {nodes {position}}}`,
			i, mossbound, i+1)
	}
	w.count(t, `{leaderboard(by: {type: "guildWars"}) {entries(around: "`+mossbound+`", first: 50) {nodes {position}}}}`,
		nil) // reads what all operations share
	r, n := w.count(t, "{"+query.String()+"}", nil)
	if n > maxCommands || len(r.Errors) == 0 {
		t.Errorf("%d commands, errors %v", n, r.Errors)
	}
	for _, err := range r.Errors {
		if graph.ErrorOf(err).Code != graph.LimitExceeded || !strings.Contains(err.Message, "reads") {
			t.Errorf("got %v", err)
		}
	}
}

const mossbound = "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b"

// manyGuilds are guilds without members, more than may be read one by one.
func manyGuilds() []*model.Guild {
	var guilds []*model.Guild
	for i := range 2 * maxCommands {
		guilds = append(guilds, &model.Guild{
			UUID: fmt.Sprintf("10000000-0000-4000-8000-%012d", i), Name: fmt.Sprintf("Guild %d", i),
			Prefix: fmt.Sprintf("Q%d", i), Level: 1 + i, CreatedAt: now,
		})
	}
	return guilds
}

type worstQueries struct {
	schema *ast.Schema
	exec   *graph.Executor
}

func newWorstQueries(w *world) *worstQueries { return &worstQueries{w.exec.Schema(), w.exec} }

func (g *worstQueries) roots() []*ast.FieldDefinition {
	return slices.DeleteFunc(slices.Clone(g.schema.Query.Fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
}

// queries yields the queries of a root field: one for each field below it, with one alias and with seven.
func (g *worstQueries) queries(root *ast.FieldDefinition) iter.Seq2[string, int] {
	return func(yield func(query string, aliases int) bool) {
		for _, below := range g.fieldsBelow(root) {
			for _, aliases := range []int{1, 7} {
				if query := g.query(root, below, aliases); query != "" && !yield(query, aliases) {
					return
				}
			}
		}
	}
}

// known are the values of arguments that are required, by the name of the argument or its type.
var known = map[string]string{
	"PlayerBy": `{username: "Salted"}`, "GuildBy": `{name: "Mossbound Company"}`, "TerritoryBy": `{name: "Fernmoor Keep"}`,
	"ItemBy": `{internalName: "Tome of Calm Hands I"}`, "ItemSetBy": `{name: "Reedcutter"}`,
	"RecipeBy": `{internalName: "Potion10-13"}`, "ClassBy": `{key: ARCHER}`, "AspectBy": `{internalName: "37d142f5"}`,
	"WorldEventBy": `{internalName: "4be07a19"}`, "LootPoolBy": `{internalName: "colossus"}`,
	"GuildSeasonBy": `{number: 26}`, "ArticleBy": `{number: 41}`, "LeaderboardBy": `{type: "warsCompletion"}`,
	"CompetitionBy": `{key: "company"}`,
	"GainBoardKind": "PLAYER", "HistoryMetric": "WARS",
	"CharacterBy": `{uuid: "` + seed.Cast[0].UUID + `"}`,
	"UUID":        `"` + seed.Cast[0].UUID + `"`, "query": `"a"`, "types": `[PLAYER]`,
	"at": `"2026-03-19T00:00:00Z"`, "since": `"2026-03-01T00:00:00Z"`, "id": `"` + model.GlobalID("Class", "archer") + `"`,
	"ids": `["` + model.GlobalID("Class", "archer") + `"]`, "onlooker": "FRIEND",
}

// arguments returns the arguments of a field: required ones, and as many entries as first.
func (g *worstQueries) arguments(f *ast.FieldDefinition, first int) string {
	var out []string
	for _, a := range f.Arguments {
		switch value := known[a.Name]; {
		case a.Name == "first":
			out = append(out, fmt.Sprintf("first: %d", first))
		case !a.Type.NonNull || a.DefaultValue != nil:
		case value != "" && a.Type.Name() != "UUID":
			out = append(out, a.Name+": "+value)
		default:
			out = append(out, a.Name+": "+known[a.Type.Name()])
		}
	}
	if out == nil {
		return ""
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// entry is the type of the entries of a connection, or of the field itself.
func (g *worstQueries) entry(f *ast.FieldDefinition) *ast.Definition {
	def := g.schema.Types[f.Type.Name()]
	if strings.HasSuffix(def.Name, "Connection") {
		return g.schema.Types[def.Fields.ForName("nodes").Type.Name()]
	}
	return def
}

// fieldsBelow are the fields of a root field's entries, a nil one for the entries alone.
func (g *worstQueries) fieldsBelow(root *ast.FieldDefinition) []*ast.FieldDefinition {
	out := []*ast.FieldDefinition{nil}
	for _, f := range g.entry(root).Fields {
		if g.leads(f) {
			out = append(out, f)
		}
	}
	return out
}

// leads reports whether a field has fields that lead further. The history of a leaderboard is left out: its argument
// depends on the leaderboard.
func (g *worstQueries) leads(f *ast.FieldDefinition) bool {
	return g.schema.Types[f.Type.Name()].IsCompositeType() && !strings.HasPrefix(f.Name, "__") &&
		f.Type.Name() != "LeaderboardPoint"
}

// query selects a field below a root field as often as given, of as many entries as an operation may cost; empty when
// there is nothing to select.
func (g *worstQueries) query(root, below *ast.FieldDefinition, aliases int) string {
	for first := 1000; first > 0; first /= 2 {
		var out strings.Builder
		for n := range aliases {
			fmt.Fprintf(&out, "a%d: %s", n, g.field(root, max(1, first-n), func(entry *ast.Definition) string {
				if below == nil {
					return g.leaf(entry)
				}
				size := 10 + n
				if m := mostEntries[entry.Name+"."+below.Name]; m > 0 {
					size = m - n
				}
				return g.field(below, size, g.everything)
			}))
		}
		query := "{" + out.String() + "}"
		op, errs := g.exec.Parse(query, "")
		if len(errs) > 0 && graph.ErrorOf(errs[0]).Code == graph.LimitExceeded {
			return ""
		}
		if op != nil {
			if _, err := g.exec.Charges(op, nil); err != nil {
				continue
			}
		}
		return query
	}
	return ""
}

// mostEntries are the largest first of fields that are not connections.
var mostEntries = map[string]int{"Leaderboard.climbers": 100, "Leaderboard.positions": 50}

// field selects a field, its count and what select returns of its entries.
func (g *worstQueries) field(f *ast.FieldDefinition, first int, selected func(*ast.Definition) string) string {
	def := g.schema.Types[f.Type.Name()]
	name := f.Name + g.arguments(f, first)
	switch {
	case strings.HasSuffix(def.Name, "Connection"):
		count := ""
		if def.Fields.ForName("totalCount") != nil {
			count = " totalCount"
		}
		return name + "{nodes{" + selected(g.entry(f)) + "}" + count + "}"
	case def.IsCompositeType():
		return name + "{" + selected(def) + "}"
	}
	return name + " "
}

func (g *worstQueries) leaf(def *ast.Definition) string {
	for _, f := range def.Fields {
		required := slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull })
		if g.schema.Types[f.Type.Name()].IsLeafType() && !required && !strings.HasPrefix(f.Name, "__") {
			return f.Name
		}
	}
	return "__typename"
}

// everything selects a leaf of an object, and two entries of each field that leads further.
func (g *worstQueries) everything(def *ast.Definition) string {
	out := []string{g.leaf(def)}
	for _, f := range def.Fields {
		if g.leads(f) {
			out = append(out, g.field(f, 2, g.leaf))
		}
	}
	return strings.Join(out, " ")
}

// byHand are operations with arguments that the walk does not give.
var byHand = []string{
	`{leaderboards(first: 100) {nodes {entries(around: "PLAYER", first: 10) {nodes {position}}}}}`,
	`{leaderboards(first: 100, filter: {kinds: [CHARACTER, GAMEMODE]}) {nodes {
		entries(filter: {classes: [MAGE]}, first: 10) {nodes {position} totalCount}}}}`,
	`{leaderboards(first: 100, filter: {kinds: [CHARACTER, GAMEMODE]}) {nodes {
		entries(filter: {gamemodes: [HARDCORE], guilds: ["GUILD"]}, first: 10) {nodes {position} totalCount}}}}`,
	`{leaderboards(first: 100, filter: {kinds: [PLAYER]}) {nodes {history(by: {player: "PLAYER"}) {position}}}}`,
	`{guilds(first: 200) {nodes {captures(last: 5) {nodes {at}} onlineCount members(first: 5) {nodes {player {ranking {type}}}}}}}`,
	`{players(first: 500, filter: {totalLevel: {min: 1}}, orderBy: {field: TOTAL_LEVEL}) {totalCount nodes {uuid}}}`,
}
