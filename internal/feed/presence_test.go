package feed_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// mirrored is what a mirror sees of a record, and when the record says that it changed.
type mirrored struct {
	seen    any
	updated time.Time
}

// mirror returns what mirrors see of all records of the game, as closed players show it: names, ranks, appearance,
// access rules and the guild.
func mirror(t *testing.T, store *mongo.Store, g *game) map[string]mirrored {
	t.Helper()
	out := map[string]mirrored{}
	for n := range 3 {
		if p := readPlayer(t, store, n+1); p != nil {
			out["player "+p.UUID] = mirrored{model.Player{
				Username: p.Username, Nickname: p.Nickname, Rank: p.Rank, RankBadge: p.RankBadge,
				RankColours: p.RankColours, ShortenedRank: p.ShortenedRank, SupportRank: p.SupportRank,
				Veteran: p.Veteran, Guild: p.Guild, Wallpaper: p.Wallpaper, Avatar: p.Avatar, Rules: p.Rules,
			}, p.Updated}
		}
	}
	guilds, err := store.Guilds.ByID(t.Context(), []string{g.moss.UUID, mongotest.UUID(52)})
	if err != nil {
		t.Fatal(err)
	}
	for _, guild := range guilds {
		if guild != nil {
			at := guild.Updated
			guild.RaidTallies, guild.Captured, guild.Lost = nil, 0, 0
			guild.Flagged, guild.Updated = false, time.Time{}
			out["guild "+guild.UUID] = mirrored{*guild, at}
		}
	}
	territories, err := store.Territories.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, territory := range territories {
		at := territory.Updated
		territory.Resources, territory.Updated = nil, time.Time{}
		out["territory "+territory.Name] = mirrored{*territory, at}
	}
	return out
}

// What the feed applies moves updatedAt of the records of which it changes something that everyone sees, and of no
// others: it does not show that players who hide everything come, go or play.
func TestUpdatedAtByFeed(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g := newGame()
			g.salted.Rules, g.brindle.Rules = model.UniformAccessRules(model.Private), model.UniformAccessRules(model.Private)
			g.store(t, store)
			before := mirror(t, store, g)
			for begun := time.Now(); !time.Now().After(begun.Add(time.Millisecond)); { // as precise as a stored time
			}
			play(t, store, example(t, k.Name)...)
			for name, after := range mirror(t, store, g) {
				was, known := before[name]
				if !known {
					continue
				}
				difference := cmp.Diff(was.seen, after.seen)
				if moved := !after.updated.Equal(was.updated); moved != (difference != "") {
					t.Errorf("updatedAt of %s moved: %v; what changed: %s", name, moved, difference)
				}
			}
		})
	}
}
