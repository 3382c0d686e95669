package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/cache"
	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// world is the demo world behind an executor, with the store's own counters.
type world struct {
	exec *graph.Executor
	// patient returns an executor for tests that count commands: its batches stay open for longer, so that their number
	// does not depend on how fast keys are gathered.
	patient func() *graph.Executor
	store   *mongo.Store
	server  *mongotest.Server
	purges  *cache.Invalidations
}

func newWorld(t testing.TB, players int) *world {
	t.Helper()
	store, server := mongotest.OpenFilled(t, fmt.Sprint(players), seedWorld(players))
	return onStore(t, store, server)
}

var now = time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)

func seedWorld(players int) func(context.Context, *mongo.Store) error {
	return func(ctx context.Context, store *mongo.Store) error {
		return demo.Create(ctx, store, seed.Options{Players: players, Seed: 1, Now: now})
	}
}

func newEmpty(t testing.TB) *world {
	t.Helper()
	store, server := mongotest.Open(t)
	return onStore(t, store, server)
}

func onStore(t testing.TB, store *mongo.Store, server *mongotest.Server) *world {
	t.Helper()
	purges := new(cache.Invalidations)
	store.OnPurge(purges.Purge)
	waiting := func(wait time.Duration) *graph.Executor {
		source := loaders.New(store, loaders.Options{Wait: wait, Purges: purges})
		return newExecutor(t, resolvers.Settings{Accounts: auth.New(store, auth.Options{})}, graph.Options{Loaders: source})
	}
	patient := sync.OnceValue(func() *graph.Executor { return waiting(20 * time.Millisecond) })
	return &world{waiting(0), patient, store, server, purges}
}

// newExecutor returns an executor of the whole schema, with pages of 20.
func newExecutor(t testing.TB, settings resolvers.Settings, o graph.Options) *graph.Executor {
	t.Helper()
	settings.PageSize = 20
	return graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: resolvers.New(settings)}), o)
}

// run runs a valid query for a viewer.
func run(t testing.TB, exec *graph.Executor, v viewer.Viewer, query string, vars map[string]any) graph.Response {
	t.Helper()
	return exec.Run(viewer.With(t.Context(), v), parse(t, exec, query), vars)
}

// parse parses a valid query.
func parse(t interface {
	Helper()
	Fatal(args ...any)
}, exec *graph.Executor, query string,
) *graph.Operation {
	t.Helper()
	op, errs := exec.Parse(query, "")
	if errs != nil {
		t.Fatal(query, errs)
	}
	return op
}

// read reads the data of a response without errors.
func read(t testing.TB, r graph.Response, into any) {
	t.Helper()
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors)
	}
	mongotest.Must(t, json.Unmarshal(r.Data, into))
}

// ask runs a query as a guest.
func (w *world) ask(t testing.TB, query string, vars map[string]any, into any) {
	t.Helper()
	w.asViewer(t, viewer.Viewer{}, query, vars, into)
}

func (w *world) asViewer(t testing.TB, v viewer.Viewer, query string, vars map[string]any, into any) {
	t.Helper()
	read(t, run(t, w.exec, v, query, vars), into)
}

// count runs a query as a guest and counts the commands that the store was sent for it.
func (w *world) count(t testing.TB, query string, vars map[string]any) (graph.Response, int64) {
	t.Helper()
	exec, before := w.patient(), commands(w.server)
	r := run(t, exec, viewer.Viewer{}, query, vars)
	return r, commands(w.server) - before
}

// least runs a query until it took no more than want commands, at most ten times, and returns the
// least it took: a machine that pauses for longer than a batch waits may make a
// second one, which is slower and not wrong.
func (w *world) least(t testing.TB, want int64, query string, vars map[string]any, into any) int64 {
	t.Helper()
	r, n := w.count(t, query, vars)
	for range 9 {
		if n > want {
			again, commands := w.count(t, query, vars)
			r, n = again, min(n, commands)
		}
	}
	read(t, r, into)
	return n
}

func commands(s *mongotest.Server) int64 {
	var n int64
	for name, count := range maps.All(s.Stats().Commands) {
		if name != "hello" && name != "isMaster" && name != "ping" && name != "endSessions" {
			n += count
		}
	}
	return n
}

// Fifty players with their characters are two commands, and one level more costs one more.
func TestOneBatchPerLevel(t *testing.T) {
	w := newWorld(t, 60)
	var uuids []string
	for _, m := range seed.Cast {
		uuids = append(uuids, m.UUID)
	}
	for n := 0; len(uuids) < 50; n++ {
		uuids = append(uuids, fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
	}
	vars := map[string]any{"uuids": uuids}
	type player struct {
		Username   string
		Characters struct{ Nodes []struct{ Level int } }
	}
	var players struct{ Players struct{ Nodes []player } }
	if n := w.least(t, 2, `query($uuids:[UUID!]!){players(filter:{uuids:$uuids},first:100){nodes{username
		characters{nodes{level}}}}}`, vars,
		&players); n != 2 {
		t.Errorf("players with characters took %d commands, want 2", n)
	}
	found := players.Players.Nodes
	at := slices.IndexFunc(found, func(p player) bool { return p.Username == "Salted" })
	if len(found) != len(seed.Cast) || at < 0 || len(found[at].Characters.Nodes) < 3 {
		t.Errorf("%d players, Salted at %d", len(found), at)
	}
	var items struct {
		Items struct{ Nodes []struct{ ID string } }
	}
	w.ask(t, `{items(first:50){nodes{id}}}`, nil, &items)
	var ids []string
	for _, i := range items.Items.Nodes {
		ids = append(ids, i.ID)
	}
	var data map[string]any
	for _, c := range []struct {
		name, query string
		vars        map[string]any
		want        int64
	}{
		{
			"a page of players: players, characters, the one being played",
			`query($uuids:[UUID!]!){players(filter:{uuids:$uuids}){nodes{characters{nodes{player{username} class{name}
				abilities{page}}} activeCharacter{level}}}}`, vars, 3,
		},
		{"three names: players", `{a:player(by:{username:"Salted"}){username}
			b:player(by:{username:"brindle"}){username} c:player(by:{username:"OKAPI"}){username}}`, nil, 1},
		{
			"everybody online: the list and its relations, players, characters",
			`{onlinePlayers(first:1000){nodes{player{characters{nodes{level}}}}}}`, nil, 4,
		},
		{
			"sets and recipes at hand, items by key: items", `{itemSets(first:100){nodes{parts{recipes{
				internalName} sets{name}}}}}`, nil, 1,
		},
		{"a list of items at hand", `{items(first:100){nodes{id}}}`, nil, 0},
		{"items by id", `query($ids:[ID!]!){nodes(ids:$ids){... on Item{displayName}}}`, map[string]any{"ids": ids}, 1},
		{"items of rewards", `{lootPools(first:100){nodes{rewards{item{internalName}}}}}`, nil, 1},
		{"items of recipes", `{recipes(first:100){nodes{materials{item{displayName}}}}}`, nil, 1},
	} {
		if n := w.least(t, c.want, c.query, c.vars, &data); n != c.want {
			t.Errorf("%s: %d commands, want %d", c.name, n, c.want)
		}
	}
}
