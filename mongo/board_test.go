package mongo_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Directories are replaced by the holder of the newest lease only.
func TestSwapDirectories(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	at := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	want := &mongo.Directory{Board: "a", RefreshedAt: &at, Count: 7, Pages: []mongo.PageRef{{
		ID:    mongo.PageID(2, 1),
		Count: 3, Last: [40]byte{1, 255},
	}, {ID: mongo.PageID(1<<30, 9), Count: 4, Last: [40]byte{2}}}}
	if err := store.Boards.SwapDirectories(ctx, []*mongo.Directory{want}, 2); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("swap without a fence: got %v, want ErrLeaseLost", err)
	}
	check(t, store.Boards.Fence(ctx, []string{"a", "b"}, 2))
	check(t, store.Boards.SwapDirectories(ctx, []*mongo.Directory{want}, 2))
	got := must(store.Boards.Directories(ctx, []string{"c", "a", "b"}))(t)
	if d := cmp.Diff([]*mongo.Directory{nil, want, {Board: "b", Pages: []mongo.PageRef{}}}, got); d != "" {
		t.Error(d)
	}
	check(t, store.Boards.Fence(ctx, []string{"a", "c"}, 3))
	for name, late := range map[string]error{
		"swap":  store.Boards.SwapDirectories(ctx, []*mongo.Directory{{Board: "a"}, {Board: "b"}}, 2),
		"fence": store.Boards.Fence(ctx, []string{"b", "a"}, 2),
	} {
		if !errors.Is(late, mongo.ErrLeaseLost) {
			t.Errorf("%s with an older lease: got %v, want ErrLeaseLost", name, late)
		}
	}
	check(t, store.Boards.DeleteDirectory(ctx, "a", 2))
	if all, err := store.Boards.AllDirectories(ctx); err != nil || len(all) != 3 || !slices.ContainsFunc(all,
		func(d *mongo.Directory) bool { return d.Board == "a" && d.Count == 7 }) {
		t.Errorf("got %d directories, want 3 with the board a: %v", len(all), err)
	}
}

// Standings are pending until Standings.Put, and reject writers with older leases.
func TestStandings(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx, of := t.Context(), mongo.RankedPlayers
	one := []*mongo.Standing{{UUID: mongotest.UUID(1), Entries: []byte{1}}}
	for n, err := range []error{
		store.Standings.MarkPending(ctx, of, []string{mongotest.UUID(1)}, 1), // before it exists
		store.Standings.Put(ctx, of, one, 2),
		store.Standings.MarkPending(ctx, of, []string{mongotest.UUID(1)}, 2),
		store.Standings.Put(ctx, of, []*mongo.Standing{{UUID: mongotest.UUID(3)}}, 3),
		store.Standings.PutPending(ctx, of, []*mongo.Standing{{UUID: mongotest.UUID(1), Entries: []byte{1, 2}}}, 3),
	} {
		if err != nil {
			t.Errorf("step %d: %v", n, err)
		}
	}
	for name, late := range map[string]error{
		"put": store.Standings.Put(ctx, of, one, 2), "put pending": store.Standings.PutPending(ctx, of, one, 2),
		"mark pending": store.Standings.MarkPending(ctx, of, []string{mongotest.UUID(1)}, 2),
	} {
		if !errors.Is(late, mongo.ErrLeaseLost) {
			t.Errorf("%s with an older lease: got %v, want ErrLeaseLost", name, late)
		}
	}
	check(t, store.Standings.Delete(ctx, of, []string{mongotest.UUID(1)}, 2))
	got := must(store.Standings.ByUUID(ctx, of, []string{mongotest.UUID(2), mongotest.UUID(1)}))(t)
	if d := cmp.Diff(
		[]*mongo.Standing{nil, {UUID: mongotest.UUID(1), Entries: []byte{1, 2}, Pending: true}},
		got,
	); d != "" {
		t.Error(d)
	}
	pending, err := store.Standings.Pending(ctx, of)
	if err != nil || !slices.Equal(pending, []string{mongotest.UUID(1)}) {
		t.Errorf("got pending standings %v, %v", pending, err)
	}
	if other, err := firstPage(store.Standings.UUIDs(ctx, mongo.RankedGuilds, 10)); err != nil || len(other) != 0 {
		t.Errorf("got standings %v of guilds, %v; want none", other, err)
	}
}

func TestBoardQueriesUseIndexes(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	var ps []*model.Player
	var cs []*model.Character
	var gs []*model.Guild
	for n := range 200 {
		wars := int64(n % 50)
		ps = append(ps, &model.Player{
			UUID: mongotest.UUID(n), Username: fmt.Sprintf("Player%d", n), Online: n < 10, Flagged: n >= 190,
			Guild: &model.GuildReference{UUID: mongotest.UUID(500 + n%20)},
		})
		cs = append(cs, &model.Character{UUID: mongotest.UUID(1000 + n), Owner: mongotest.UUID(n), ClassKey: "MAGE"})
		gs = append(gs, &model.Guild{
			UUID: mongotest.UUID(500 + n), Name: fmt.Sprintf("Guild%d", n), Level: 1 + n%30, Wars: &wars,
			Flagged: n < 3,
		})
	}
	for _, err := range []error{
		store.Players.Insert(ctx, ps), store.Characters.Insert(ctx, cs), store.Guilds.Insert(ctx, gs),
		store.Boards.Fence(ctx, []string{"a", "b"}, 1), store.Boards.InsertPages(ctx, []*mongo.BoardPage{
			{ID: 1},
			{ID: 2},
			{ID: 3},
		}),
		store.Standings.MarkPending(ctx, mongo.RankedPlayers, []string{mongotest.UUID(3), mongotest.UUID(4)}, 1),
	} {
		check(t, err)
	}
	two := []string{mongotest.UUID(3), mongotest.UUID(4)}
	for name, q := range map[string]struct {
		most int64
		run  func() (any, error)
	}{
		"Boards.Directories": {2, func() (any, error) { return store.Boards.Directories(ctx, []string{"a", "b"}) }},
		"Boards.Pages":       {2, func() (any, error) { return store.Boards.Pages(ctx, []int64{1, 3}) }},
		"Boards.PageIDs":     {3, func() (any, error) { return firstPage(store.Boards.PageIDs(ctx, 4, 10)) }},
		"Standings.ByUUID":   {2, func() (any, error) { return store.Standings.ByUUID(ctx, mongo.RankedPlayers, two) }},
		"Standings.Pending":  {0, func() (any, error) { return store.Standings.Pending(ctx, mongo.RankedPlayers) }},
		"Standings.UUIDs": {2, func() (any, error) {
			return firstPage(store.Standings.UUIDs(ctx, mongo.RankedPlayers, 9))
		}},
		"Players.OnlineUUIDs": {0, func() (any, error) { return store.Players.OnlineUUIDs(ctx) }},
		"Scores.NextFlagged":  {0, func() (any, error) { return store.Scores.NextFlagged(ctx, mongo.RankedPlayers, 4) }},
		"flagged guilds":      {3, func() (any, error) { return store.Scores.NextFlagged(ctx, mongo.RankedGuilds, 9) }},
		"Boards.Counts":       {2, func() (any, error) { return store.Boards.Counts(ctx, []string{"a", "b"}) }},
		"Standings.Between": {2, func() (any, error) {
			return firstPage(store.Standings.Between(ctx, mongo.RankedPlayers, "", "", 2))
		}},
		"Scores.UUIDsAfter": {5, func() (any, error) {
			return store.Scores.UUIDsAfter(ctx, mongo.RankedGuilds, mongotest.UUID(510), 5)
		}},
		"Scores.UUIDsBetween": {5, func() (any, error) {
			return store.Scores.UUIDsBetween(ctx, mongo.RankedPlayers, mongotest.UUID(5),
				mongotest.UUID(10))
		}},
		"Scores.Players": {4, func() (any, error) { p, _, err := store.Scores.Players(ctx, two); return p, err }},
		"Scores.Guilds": {2, func() (any, error) {
			return store.Scores.Guilds(ctx, []string{mongotest.UUID(501), mongotest.UUID(502)})
		}},
		"Standings.Presences": {5, func() (any, error) {
			return firstPage(store.Standings.Presences(ctx, mongo.RankedPlayers, 5))
		}},
		"Characters.ExperienceByOwner": {2, func() (any, error) { return store.Characters.ExperienceByOwner(ctx, two) }},
		"guilds by level": {7, func() (any, error) {
			return store.Guilds.Ranked(ctx, mongo.GuildsByLevel, 3, 4)
		}},
		"guilds by wars": {7, func() (any, error) {
			return store.Guilds.Ranked(ctx, mongo.GuildsByWars, 3, 4)
		}},
		"Guilds.CountRanked": {200, func() (any, error) {
			return store.Guilds.CountRanked(ctx, mongo.GuildsByWars)
		}},
		"Guilds.CountBefore": {200, func() (any, error) {
			return store.Guilds.CountBefore(ctx, mongo.GuildsByWars, gs[70])
		}},
		"Guilds.MemberCounts": {200, func() (any, error) { return store.Guilds.MemberCounts(ctx) }},
		"Guilds.CountMembers": {20, func() (any, error) {
			return store.Guilds.CountMembers(ctx, []string{mongotest.UUID(501), mongotest.UUID(502)})
		}},
	} {
		t.Run(name, func(t *testing.T) { checkReads(t, server, q.most, q.run) })
	}
	if n, err := store.Guilds.CountMembers(
		ctx,
		[]string{mongotest.UUID(999), mongotest.UUID(501)},
	); err != nil ||
		!slices.Equal(n, []int{0, 10}) {
		t.Errorf("got members %v, %v", n, err)
	}
	if n, err := store.Guilds.CountBefore(ctx, mongo.GuildsByWars, gs[70]); err != nil ||
		n != 29*4+slices.IndexFunc(ranked(t, store)[29*4:], func(g *model.Guild) bool { return g.UUID == gs[70].UUID }) {
		t.Errorf("got %d guilds before it, %v", n, err)
	}
}

// firstPage reads the first page of a list.
func firstPage[T any](pages iter.Seq2[[]T, error]) ([]T, error) {
	for page, err := range pages {
		return page, err
	}
	return nil, nil
}

// ranked returns all guilds by wars.
func ranked(t *testing.T, store *mongo.Store) []*model.Guild {
	t.Helper()
	all := must(store.Guilds.Ranked(t.Context(), mongo.GuildsByWars, 0, 1000))(t)
	return all
}
