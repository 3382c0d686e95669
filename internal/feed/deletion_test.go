package feed_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func readPlayer(t *testing.T, store *mongo.Store, n int) *model.Player {
	t.Helper()
	found, err := store.Players.ByID(t.Context(), []string{mongotest.UUID(n)})
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// The statistics of a player are the sums over the characters left, and stay so when the event comes again.
func TestCharacterDeleted(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	const player = `{"player": "00000000-0000-4000-8000-000000000001", "character": "00000000-0000-4000-8000-`
	apply(
		t, store,
		[2]string{"CharacterAdded", player + `000000000105", "type": "MAGE"}`},
		[2]string{"CharacterGained", `{"character": "00000000-0000-4000-8000-000000000105", "hours": 1.25, "xp": 9,
			"level": 3, "mobsKilled": 5, "chestsFound": 2, "worldEvents": 1, "lootruns": 1, "caves": 1, "content": 3,
			"quests": ["A", "B"], "dungeons": ["Skeleton"], "pvpKills": 2}`},
		[2]string{"RaidCompleted", `{"raid": "The Canyon Colossus",
			"raiders": [{"character": "00000000-0000-4000-8000-000000000105"}]}`},
		[2]string{"WarWon", `{"guild": "00000000-0000-4000-8000-000000000051",
			"fighters": ["00000000-0000-4000-8000-000000000105"]}`},
		[2]string{"FeaturedStatsSet", `{"player": "00000000-0000-4000-8000-000000000001",
			"stats": [{"stat": "globalData.mobsKilled", "number": 99}, {"stat": "firstJoin", "text": "2025"}]}`},
		[2]string{"PlayerJoined", player + `000000000101", "server": "EU1"}`},
	)
	for range 2 {
		apply(t, store, [2]string{"CharacterDeleted", player + `000000000101"}`})
		p := readPlayer(t, store, 1)
		one, two, none := int64(1), int64(2), int64(0)
		want := &model.PlayerTotals{
			ContentCompletion: 4, Wars: 1, TotalLevel: 15, MobsKilled: 5, ChestsFound: 2, WorldEvents: 1, Lootruns: 1,
			Caves: 1, CompletedQuests: 2, Pvp: &model.PvpStats{Kills: &two, Deaths: &none},
			Dungeons:  &model.CountList{Total: one, List: []*model.NamedCount{{Name: "Skeleton", Count: 1}}},
			Raids:     &model.CountList{Total: one, List: []*model.NamedCount{{Name: "The Canyon Colossus", Count: 1}}},
			RaidStats: &model.RaidStats{},
		}
		if d := cmp.Diff(want, p.Totals); d != "" {
			t.Error("globalData, want (-), got (+):", d)
		}
		if *p.Playtime != 1.25 || *p.Featured[0].Number != 5 || *p.Featured[1].Text != "2025" {
			t.Errorf("got %v hours, featured %+v", *p.Playtime, p.Featured)
		}
		if p.ActiveCharacter != nil || p.World != nil || p.Location != nil || !p.Online || !p.Flagged {
			t.Errorf("got %+v, want an online player on no world", p)
		}
		left, err := store.Characters.ByOwner(t.Context(), []string{p.UUID})
		if err != nil || len(left[0]) != 1 || left[0][0].UUID != mongotest.UUID(105) {
			t.Error("characters left:", left, err)
		}
	}
}

// With a player everything goes that refers to the player.
func TestPlayerDeleted(t *testing.T) {
	store, _ := mongotest.Open(t)
	g := storeGame(t, store)
	account := &model.Account{
		ID: "a", Name: "A", Profiles: []string{g.brindle.UUID, g.salted.UUID}, Created: feedTime,
	}
	if err := store.Accounts.Insert(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	const player = `{"player": "00000000-0000-4000-8000-000000000001"`
	apply(
		t, store,
		[2]string{"Befriended", player + `, "friend": "00000000-0000-4000-8000-000000000002"}`},
		[2]string{"LinkCodeCreated", player + `, "code": "7Q2M-0XVA-41BC"}`},
	)
	for range 2 {
		// The friend is not among the records of the batch.
		apply(t, store, [2]string{"PlayerDeleted", player + `}`})
		if p := readPlayer(t, store, 1); p != nil {
			t.Errorf("got %+v", p)
		}
		if p := readPlayer(t, store, 2); len(p.Friends) != 0 {
			t.Errorf("friends of Brindle: %v", p.Friends)
		}
		members, err := store.Guilds.CountMembers(t.Context(), []string{g.moss.UUID})
		if err != nil || members[0] != 1 {
			t.Errorf("got %v members, %v", members, err)
		}
		characters, err := store.Characters.ByID(t.Context(), []string{g.dusk.UUID})
		if err != nil || characters[0] != nil {
			t.Errorf("got character %v, %v", characters, err)
		}
		accounts, err := store.Accounts.ByID(t.Context(), []string{"a"})
		if err != nil || len(accounts[0].Profiles) != 1 {
			t.Errorf("got accounts %+v, %v", accounts[0], err)
		}
		if player, err := store.LinkCodes.Redeem(t.Context(), "digest of 7Q2M-0XVA-41BC", feedTime); err == nil {
			t.Errorf("the link code of %s is valid", player)
		}
	}
	// The uuid can be used again.
	apply(t, store, [2]string{"PlayerAdded", player + `, "username": "Salted"}`})
	if p := readPlayer(t, store, 1); p == nil || p.Totals.Wars != 0 {
		t.Errorf("got %+v", p)
	}
}

// With a guild the memberships go, and the territories fall free.
func TestGuildDisbanded(t *testing.T) {
	store, _ := mongotest.Open(t)
	g := storeGame(t, store)
	const guild = `{"guild": "00000000-0000-4000-8000-000000000051"`
	apply(
		t, store,
		[2]string{"TerritoryCaptured", `{"territory": "Field 1", ` + guild[1:] + `}`},
		[2]string{"SeasonRated", guild + `, "season": 4, "rating": 120, "territories": 1}`},
	)
	for range 2 {
		apply(t, store, [2]string{"GuildDisbanded", guild + `, "at": "2026-03-20T12:01:00Z"}`})
		guilds, err := store.Guilds.ByID(t.Context(), []string{g.moss.UUID})
		if err != nil || guilds[0] != nil {
			t.Errorf("got guild %v, %v", guilds, err)
		}
		for n := range 2 {
			if p := readPlayer(t, store, n+1); p.Guild != nil || p.Membership != nil {
				t.Errorf("%s is a member of %+v", p.Username, p.Guild)
			}
		}
		land, err := store.Territories.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		free := feedTime.Add(time.Minute)
		if f := land[1]; f.Guild == nil || f.Guild.UUID != nil || !f.AcquiredAt.Equal(free) || f.Hq {
			t.Errorf("got %+v of %+v", f, f.Guild)
		}
		if land[0].Guild.UUID == nil {
			t.Error("a territory of another guild is free")
		}
		former, err := store.FormerGuilds.ByID(t.Context(), []string{g.moss.UUID})
		if err != nil || former[0].Name != "Mossbound" || former[0].SeasonResults[0].Rating != 120 {
			t.Errorf("got former guild %+v, %v", former[0], err)
		}
	}
	// Name and uuid can be used again, also within a batch.
	added := [2]string{"GuildAdded", guild + `, "name": "MOSSBOUND", "prefix": "M"}`}
	disbanded := [2]string{"GuildDisbanded", guild + `}`}
	apply(t, store, added, disbanded, added, disbanded)
	former, err := store.FormerGuilds.ByID(t.Context(), []string{g.moss.UUID})
	if err != nil || former[0].Name != "MOSSBOUND" {
		t.Errorf("got former guild %+v, %v", former[0], err)
	}
}
