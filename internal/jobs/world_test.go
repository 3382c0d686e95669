package jobs_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

var now = time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)

// world is a demo world without boards, and its raw database.
type world struct {
	*mongo.Store
	server  *mongotest.Server
	raw     *driver.Database
	loaders *loaders.Source
}

func newWorld(t testing.TB, players int) *world {
	t.Helper()
	store, server := mongotest.OpenFilled(t, fmt.Sprint(players), func(ctx context.Context, s *mongo.Store) error {
		return demo.Create(ctx, s, seed.Options{Players: players, Seed: 1, Now: now})
	})
	return &world{store, server, server.Database(t), loaders.New(store, loaders.Options{})}
}

// job is a function of the package.
type job func(context.Context, *mongo.Store, time.Time, jobs.Options) (jobs.Report, error)

// run runs a job at a time.
func (w *world) run(t testing.TB, work job, at time.Time, o jobs.Options) jobs.Report {
	t.Helper()
	return mongotest.Value(work(t.Context(), w.Store, at, o))(t)
}

func (w *world) refresh(t testing.TB, o jobs.Options) jobs.Report {
	t.Helper()
	return w.run(t, jobs.Refresh, now, o)
}

// all returns the uuids of all players or guilds.
func (w *world) all(t testing.TB, of mongo.Ranked) []string {
	t.Helper()
	return mongotest.Value(w.Scores.UUIDsAfter(t.Context(), of, "", 1_000_000))(t)
}

func (w *world) catalogue(t testing.TB) *leaderboard.Catalogue {
	t.Helper()
	seasons := mongotest.Value(mongo.Seasons.Read(t.Context(), w.Store))(t)
	raids := mongotest.Value(w.Content.Raids(t.Context()))(t)
	return leaderboard.NewCatalogue(leaderboard.Fixed(raids), seasons, now)
}

// expected computes every board from whole records, in the simplest way.
func (w *world) expected(t testing.TB) map[string][]leaderboard.Key {
	t.Helper()
	ctx, c, out := t.Context(), w.catalogue(t), map[string][]leaderboard.Key{}
	for _, b := range c.All {
		if !b.Computed() {
			out[b.Name] = nil
		}
	}
	add := func(uuid string, entries []leaderboard.Entry) {
		for _, e := range entries {
			k, ok := leaderboard.NewKey(e.MetaScore, uuid, e.Character)
			if !ok {
				t.Fatalf("no key for %s", uuid)
			}
			out[e.Board.Name] = append(out[e.Board.Name], k)
		}
	}
	for part := range slices.Chunk(w.all(t, mongo.RankedPlayers), 500) {
		players := mongotest.Value(w.Players.ByID(ctx, part))(t)
		owned := mongotest.Value(w.Characters.ByOwner(ctx, part))(t)
		for i, p := range players {
			add(p.UUID, c.OfPlayer(p, owned[i]))
		}
	}
	guilds := mongotest.Value(w.Guilds.ByID(ctx, w.all(t, mongo.RankedGuilds)))(t)
	for _, g := range guilds {
		add(g.UUID, c.OfGuild(g))
	}
	for _, keys := range out {
		slices.SortFunc(keys, leaderboard.Key.Compare)
	}
	return out
}

// stored reads every board and checks that directories, pages and standings match.
func (w *world) stored(t testing.TB) map[string][]leaderboard.Key {
	t.Helper()
	ctx := t.Context()
	dirs := mongotest.Value(w.Boards.AllDirectories(ctx))(t)
	out, on := map[string][]leaderboard.Key{}, map[string][]leaderboard.Place{}
	for _, d := range dirs {
		out[d.Board] = nil
		ids := make([]int64, len(d.Pages))
		for i, ref := range d.Pages {
			ids[i] = ref.ID
		}
		read := mongotest.Value(w.Boards.Pages(ctx, ids))(t)
		for n, ref := range d.Pages {
			page, err := leaderboard.ParsePage(read[n])
			if err != nil || page.Len() != ref.Count || page.Len() == 0 || page.Len() > 2*leaderboard.PageSize ||
				page.Last() != leaderboard.Key(ref.Last) {
				t.Fatalf("%s: bad page: %d entries, %d bytes, %v", d.Board, ref.Count, len(read[n]), err)
			}
			for i := range page.Len() {
				k := page.At(i)
				out[d.Board] = append(out[d.Board], k)
				on[k.UUID()] = append(on[k.UUID()], leaderboard.Place{Board: d.Board, Key: k})
			}
		}
		if len(out[d.Board]) != d.Count || d.RefreshedAt == nil {
			t.Errorf("%s: got %d entries, its directory has %d, refreshed at %v", d.Board, len(out[d.Board]), d.Count,
				d.RefreshedAt)
		}
	}
	uuids := slices.Collect(maps.Keys(on))
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		found := mongotest.Value(w.Standings.ByUUID(ctx, of, uuids))(t)
		for i, s := range found {
			if s == nil {
				continue
			}
			listed, err := leaderboard.Standing(s.Entries).Places(uuids[i])
			listed = slices.DeleteFunc(listed, func(p leaderboard.Place) bool { _, there := out[p.Board]; return !there })
			if err != nil || len(listed) != len(on[uuids[i]]) || s.Pending {
				t.Fatalf("standing of %s: got %d entries, boards have %d; pending %t, %v", uuids[i], len(listed),
					len(on[uuids[i]]), s.Pending, err)
			}
		}
	}
	return out
}

// checkBoards compares the boards with the records, and the rankings of some players with the boards.
func (w *world) checkBoards(t testing.TB, players ...string) {
	t.Helper()
	want, stored := w.expected(t), w.stored(t)
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(stored))); d != "" {
		t.Fatalf("boards: %s", d)
	}
	for name, got := range stored {
		if !slices.Equal(got, want[name]) {
			t.Fatalf("%s: the %d stored entries differ from the %d expected ones", name, len(got), len(want[name]))
		}
	}
	w.checkRankings(t, mongo.RankedPlayers, players, want)
}

// checkRankings compares the rankings that readers get with the boards.
func (w *world) checkRankings(t testing.TB, of mongo.Ranked, uuids []string, boardKeys map[string][]leaderboard.Key) {
	t.Helper()
	want := map[string]map[string]int{}
	for name, keys := range boardKeys {
		for i, k := range keys {
			if want[k.UUID()] == nil {
				want[k.UUID()] = map[string]int{}
			}
			if want[k.UUID()][name] == 0 {
				want[k.UUID()][name] = i + 1
			}
		}
	}
	got := w.rankings(t, of, uuids)
	for i, uuid := range uuids {
		if d := cmp.Diff(want[uuid], positions(got[i]), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", uuid, d)
		}
	}
}

// rankings reads rankings like a service whose loaders have been in use since the world began.
func (w *world) rankings(t testing.TB, of mongo.Ranked, uuids []string) [][]*model.RankPosition {
	t.Helper()
	ctx := w.loaders.Attach(t.Context(), nil)
	loader := loaders.From(ctx).PlayerRanking
	if of == mongo.RankedGuilds {
		loader = loaders.From(ctx).GuildRanking
	}
	found := mongotest.Value(loaders.Many(ctx, loader, uuids))(t)
	out := make([][]*model.RankPosition, len(found))
	for i, r := range found {
		if r != nil {
			out[i] = r.Positions
		}
	}
	return out
}

func positions(list []*model.RankPosition) map[string]int {
	out := map[string]int{}
	for _, r := range list {
		out[r.Type] = r.Position
	}
	return out
}

func (w *world) set(t testing.TB, collection, uuid string, fields bson.D) {
	t.Helper()
	mongotest.Value(w.raw.Collection(collection).UpdateByID(t.Context(), uuid,
		bson.D{{Key: "$set", Value: fields}}))(t)
}

func (w *world) setAll(t testing.TB, collection string, fields bson.D) {
	t.Helper()
	mongotest.Value(w.raw.Collection(collection).UpdateMany(t.Context(), bson.D{},
		bson.D{{Key: "$set", Value: fields}}))(t)
}

func (w *world) remove(t testing.TB, collection string, id any) {
	t.Helper()
	mongotest.Value(w.raw.Collection(collection).DeleteOne(t.Context(), bson.D{{Key: "_id", Value: id}}))(t)
}

// loseFirstPage deletes the first page of a board.
func (w *world) loseFirstPage(t testing.TB, board string) {
	t.Helper()
	dirs := mongotest.Value(w.Boards.Directories(t.Context(), []string{board}))(t)
	w.remove(t, "boardPages", dirs[0].Pages[0].ID)
}

// count counts the records of a collection that a filter matches.
func (w *world) count(t testing.TB, collection string, filter bson.D) int {
	t.Helper()
	return int(mongotest.Value(w.raw.Collection(collection).CountDocuments(t.Context(), filter))(t))
}
