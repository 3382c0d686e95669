package feed_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

var feedTime = time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)

// game is a game server's copy of a small world: two players of one guild, a third player without counters,
// two guilds, three territories.
type game struct {
	salted, brindle, okapi *model.Player
	dusk, brin, bare       *model.Character
	moss, row              *model.Guild
	land                   []*model.Territory
}

func newGame() *game {
	player := func(n int, name string) *model.Player {
		hours := 10.5
		return &model.Player{
			UUID: mongotest.UUID(n), Username: name, Playtime: &hours,
			Rules:           model.AccessRules{model.MainAccess: model.Friend},
			Ranking:         []*model.RankPosition{{Type: "warsCompletion", Position: n}},
			PreviousRanking: []*model.RankPosition{{Type: "warsCompletion", Position: 9}},
			GuildHistory:    []*model.GuildHistoryEntry{},
			Totals: &model.PlayerTotals{
				Wars: 3, TotalLevel: 26, MobsKilled: 1 << 40,
				Raids:    &model.CountList{List: []*model.NamedCount{}},
				Dungeons: &model.CountList{Total: 2, List: []*model.NamedCount{{Name: "Ice Barrows", Count: 2}}},
				Pvp:      &model.PvpStats{Kills: new(int64), Deaths: new(int64)},
			},
		}
	}
	character := func(n, owner int) *model.Character {
		hours, wars := 4.25, int64(1)
		return &model.Character{
			UUID: mongotest.UUID(100 + n), Owner: mongotest.UUID(owner), ClassKey: "MAGE", Level: 12, XP: 500, XPPercent: 40,
			TotalLevel: 13, Playtime: &hours, Wars: &wars,
			ProfessionLevels: &model.Professions{Mining: &model.ProfessionProgress{Level: 1}}, Quests: []string{"One"},
			Dungeons: &model.CountList{List: []*model.NamedCount{}}, Raids: &model.CountList{List: []*model.NamedCount{}},
		}
	}
	g := &game{
		salted: player(1, "Salted"), brindle: player(2, "Brindle"), okapi: player(3, "Okapi"),
		dusk: character(1, 1), brin: character(2, 2),
		bare: &model.Character{
			UUID: mongotest.UUID(103), Owner: mongotest.UUID(3), ClassKey: "MAGE", Level: 1, TotalLevel: 1,
		},
	}
	wars := int64(5)
	g.moss = &model.Guild{
		UUID: mongotest.UUID(51), Name: "Mossbound", Prefix: "MOSS", Level: 3, Wars: &wars, CreatedAt: feedTime,
		Ranking: []*model.RankPosition{{Type: "guildTotalRaids", Position: 4}},
	}
	g.row = &model.Guild{UUID: mongotest.UUID(52), Name: "Lantern Row", Prefix: "LNRW", CreatedAt: feedTime}
	owner, stars := "OWNER", "★★★★★"
	for _, p := range []*model.Player{g.salted, g.brindle} {
		p.Guild = &model.GuildReference{
			UUID: g.moss.UUID, Name: g.moss.Name, Prefix: g.moss.Prefix, Rank: &owner,
			RankStars: &stars,
		}
		p.Membership = &model.Membership{JoinedAt: feedTime, Contributed: 7}
	}
	for i := range 3 {
		acquired := feedTime.Add(-time.Duration(i) * time.Hour)
		g.land = append(g.land, &model.Territory{
			Name:       fmt.Sprintf("Field %d", i),
			Guild:      &model.TerritoryGuild{UUID: &g.row.UUID, Name: &g.row.Name, Prefix: &g.row.Prefix},
			AcquiredAt: &acquired, Hq: i == 0, Treasury: "HIGH", Defences: "HIGH", LinkNames: []string{},
			Location:  &model.Area{StartCorner: []int{0, 0}, EndCorner: []int{1, 1}},
			Resources: []*model.TerritoryResource{{Type: "ORE", Generation: 60, Stored: 90, Limit: 100}},
		})
	}
	return g
}

// store stores the game, with a running season.
func (g *game) store(t *testing.T, store *mongo.Store) {
	t.Helper()
	season := &model.GuildSeason{Number: 4, StartsAt: feedTime.AddDate(0, -1, 0), Enabled: true}
	if err := errors.Join(
		store.Players.Insert(t.Context(), []*model.Player{g.salted, g.brindle, g.okapi}),
		store.Characters.Insert(t.Context(), []*model.Character{g.dusk, g.brin, g.bare}),
		store.Guilds.Insert(t.Context(), []*model.Guild{g.moss, g.row}), store.Territories.Put(t.Context(), g.land),
		mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{season}),
	); err != nil {
		t.Fatal(err)
	}
}

// readGame returns the stored game; nil for missing records.
func readGame(t *testing.T, store *mongo.Store) *game {
	t.Helper()
	uuids := func(ns ...int) (out []string) {
		for _, n := range ns {
			out = append(out, mongotest.UUID(n))
		}
		return out
	}
	players, err1 := store.Players.ByID(t.Context(), uuids(1, 2, 3))
	characters, err2 := store.Characters.ByID(t.Context(), uuids(101, 102, 103))
	guilds, err3 := store.Guilds.ByID(t.Context(), uuids(51, 52))
	land, err4 := store.Territories.Records(t.Context())
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return &game{
		salted: players[0], brindle: players[1], okapi: players[2], dusk: characters[0], brin: characters[1],
		bare: characters[2], moss: guilds[0], row: guilds[1], land: land,
	}
}

func (g *game) checkStore(t *testing.T, store *mongo.Store) {
	t.Helper()
	if d := cmp.Diff(g, readGame(t, store), cmp.AllowUnexported(game{}),
		cmpopts.IgnoreFields(model.Player{}, "Updated"), cmpopts.IgnoreFields(model.Guild{}, "Updated"),
		cmpopts.IgnoreFields(model.Territory{}, "Updated")); d != "" {
		t.Error("game (-) and store (+) differ:", d)
	}
}
