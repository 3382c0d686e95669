package feed_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

const (
	brindle = "00000000-0000-4000-8000-000000000002"
	brin    = "00000000-0000-4000-8000-000000000102"
	bare    = "00000000-0000-4000-8000-000000000103"
	row     = "00000000-0000-4000-8000-000000000052"
)

// What events make of the records.
func TestEvents(t *testing.T) {
	gain := &feed.CharacterGained{Character: dusk, Gain: feed.Gain{
		Hours: 0.01, XP: 100, Level: 13, XPPercent: 5, Content: 1, PvpKills: 2,
		Gains: model.Gains{MobsKilled: 7, Discoveries: 1},
		Practised: []feed.Practice{
			{Profession: "mining", XP: 9, Level: 4, XPPercent: 50}, {Profession: "cooking", Level: 9},
		},
		Dungeons: []string{"Ice Barrows", "Skeleton"}, Quests: []string{"One", "Two"},
	}}
	for name, c := range map[string]struct {
		events []feed.Event
		check  func(*game) bool
	}{
		"join and leave": {[]feed.Event{
			&feed.PlayerJoined{Player: salted, At: feedTime, Server: "EU1", Character: dusk},
			&feed.PartyJoined{Player: salted, Party: "p"},
			&feed.PlayerLeft{Player: salted},
			&feed.PlayerJoined{Player: brindle, At: feedTime, Address: "::1"},
		}, func(g *game) bool {
			p := g.salted
			return !p.Online && p.World == nil && p.ActiveCharacter == nil && p.Address == "" && p.Location == nil &&
				p.Party == "" && p.Flagged && *g.dusk.Logins == 1 && g.brindle.Online && g.brindle.World == nil &&
				g.brindle.Address == "::1"
		}},
		"rename": {
			[]feed.Event{&feed.PlayerRenamed{Player: salted, Username: "Straße"}},
			func(g *game) bool { return g.salted.NameFold == "strasse" },
		},
		"friends": {[]feed.Event{
			&feed.Befriended{Player: salted, Friend: okapi}, &feed.Befriended{Player: salted, Friend: brindle},
			&feed.Befriended{Player: okapi, Friend: salted}, &feed.Unfriended{Player: salted, Friend: brindle},
		}, func(g *game) bool {
			return len(g.salted.Friends) == 1 && len(g.okapi.Friends) == 1 && len(g.brindle.Friends) == 0
		}},
		"gain": {[]feed.Event{gain, gain}, func(g *game) bool {
			c, d := g.dusk, g.salted.Totals
			return c.Level == 13 && c.TotalLevel == 17 && d.TotalLevel == 30 && *c.MobsKilled == 14 &&
				d.MobsKilled == 1<<40+14 && *c.Playtime == 4.27 && *g.salted.Playtime == 10.52 &&
				c.ProfessionXP["mining"] == 18 && len(c.Quests) == 2 && d.CompletedQuests == 1 && d.ContentCompletion == 2 &&
				d.Dungeons.Total == 6 && *d.Pvp.Kills == 4
		}},
		"gain where nothing is known": {[]feed.Event{
			&feed.CharacterGained{Character: bare, Gain: feed.Gain{
				Hours: 1, Dungeons: []string{"Skeleton"}, PvpDeaths: 1, Gains: model.Gains{MobsKilled: 3},
			}},
		}, func(g *game) bool {
			return *g.bare.MobsKilled == 3 && *g.bare.Pvp.Deaths == 1 && g.bare.Dungeons.Total == 1
		}},
		"raid": {[]feed.Event{
			&feed.RaidCompleted{Raid: model.Raids[1], Guild: moss, Raiders: []feed.RaidCompletedRaider{
				{
					Character: dusk, Gambits: model.GambitCounts{Ten: 1, Thirty: 2},
					Stats: model.RaidStats{DamageDealt: 1 << 40},
				}, {Character: brin},
			}},
			&feed.RaidCompleted{Raid: "Unknown", Raiders: []feed.RaidCompletedRaider{
				{Character: dusk, Gambits: model.GambitCounts{Ten: 1, Thirty: 2}},
			}},
		}, func(g *game) bool {
			p, tally := g.salted, g.moss.RaidTallies[0]
			return p.Totals.Raids.Total == 2 && p.Totals.GuildRaids.Total == 1 &&
				len(p.Totals.GuildRaids.List) == 5 && p.GuildHistory[0].UUID == moss &&
				p.Totals.RaidStats.GambitsUsed == 6 && p.Gambits[0].Guild.Thirty == 2 && p.Gambits[1].Guild.Thirty == 0 &&
				tally.Completions == 1 && tally.Gambits.Ten == 1 && g.moss.TotalGuildRaids == 1 && g.moss.Flagged &&
				g.brindle.Totals.RaidStats != nil && *g.dusk.ContentCompletion == 2
		}},
		"second guild": {[]feed.Event{raid(moss), raid(row), raid(moss)}, func(g *game) bool {
			h := g.salted.GuildHistory
			return len(h) == 2 && h[0].UUID == row && h[1].GuildRaids.Total == 2 && g.salted.Totals.GuildRaids.Total == 3
		}},
		"war": {[]feed.Event{
			&feed.WarWon{Guild: moss, Fighters: []feed.CharacterID{dusk, bare}},
			&feed.SeasonRated{Guild: moss, Season: 4, Rating: 40, Territories: 1},
			&feed.SeasonRated{Guild: moss, Season: 4, Rating: 120, Territories: 2},
		}, func(g *game) bool {
			return *g.moss.Wars == 6 && g.salted.Totals.Wars == 4 && *g.dusk.Wars == 2 && *g.bare.Wars == 1 &&
				g.moss.SeasonResults[0].Rating == 160 && g.moss.SeasonResults[0].FinalTerritories == 2
		}},
		"capture": {
			[]feed.Event{&feed.TerritoryCaptured{Territory: "Field 0", Guild: moss, At: feedTime}},
			func(g *game) bool {
				won := g.land[0]
				return *won.Guild.Name == "Mossbound" && won.Hq && won.Treasury == "VERY_LOW" && won.Defences == "VERY_LOW" &&
					won.AcquiredAt.Equal(feedTime) && !g.land[1].Hq && g.land[2].Hq && g.row.Flagged && g.moss.Flagged
			},
		},
		"colours of neighbours": {
			[]feed.Event{&feed.TerritoryCaptured{Territory: "Field 0", Guild: moss, At: feedTime}},
			func(g *game) bool {
				return g.moss.StoredColour != "" && model.ColourDistance(g.moss.StoredColour, g.row.StoredColour) > 0.15
			},
		},
		"resources": {[]feed.Event{
			&feed.TerritoryProduced{Territory: "Field 1", Made: map[string]int64{"ORE": 60}},
			&feed.TerritoryProduced{Territory: "Field 2", Made: map[string]int64{"ORE": -200}},
		}, func(g *game) bool { return g.land[1].Resources[0].Stored == 100 && g.land[2].Resources[0].Stored == 0 }},
		"members": {[]feed.Event{
			&feed.GuildJoined{Player: okapi, Guild: row, Rank: "RECRUIT", At: feedTime},
			&feed.Contributed{Player: okapi, XP: 5}, &feed.RankGiven{Player: okapi, Rank: "CHIEF"},
			&feed.GuildLeft{Player: brindle}, &feed.Contributed{Player: salted, XP: 5},
		}, func(g *game) bool {
			return *g.okapi.Guild.RankStars == "★★★★" && g.okapi.Membership.Contributed == 5 && g.brindle.Guild == nil &&
				g.brindle.Membership == nil && g.salted.Membership.Contributed == 12 && len(g.okapi.GuildHistory) == 0
		}},
		"player added and deleted": {[]feed.Event{
			&feed.PlayerAdded{Player: "00000000-0000-4000-8000-000000000009", Username: "Fernwick"},
			&feed.CharacterAdded{
				Player: "00000000-0000-4000-8000-000000000009", Character: "00000000-0000-4000-8000-000000000109", Type: "MAGE",
			},
			&feed.PlayerDeleted{Player: "00000000-0000-4000-8000-000000000009"},
		}, func(*game) bool { return true }},
		"guild disbanded and founded": {[]feed.Event{
			&feed.GuildDisbanded{Guild: row, At: feedTime}, &feed.GuildDisbanded{Guild: moss, At: feedTime},
			&feed.GuildAdded{Guild: row, Name: "Mossbound", Prefix: "MOSS", At: feedTime},
		}, func(g *game) bool {
			t := g.land[0]
			return t.Guild.UUID == nil && !t.Hq && t.AcquiredAt.Equal(feedTime) && t.Treasury == "VERY_LOW" &&
				g.salted.Guild == nil && g.brindle.Guild == nil && g.moss == nil && g.row.Name == "Mossbound"
		}},
		"territory freed": {
			[]feed.Event{&feed.TerritoryFreed{Territory: "Field 0", At: feedTime}},
			func(g *game) bool {
				return g.land[0].Guild.UUID == nil && !g.land[0].Hq && g.land[2].Hq && !g.land[1].Hq && g.row.Flagged
			},
		},
		"character": {[]feed.Event{
			&feed.GamemodeSet{Character: dusk, Gamemode: []string{"hardcore"}},
			&feed.CharacterDied{Character: dusk}, &feed.CharacterDied{Character: dusk},
			&feed.CharacterRestyled{Character: dusk, Nickname: new("Dusk")},
		}, func(g *game) bool { return g.dusk.Meta.Died && *g.dusk.Deaths == 1 && g.salted.Flagged }},
		"profile": {[]feed.Event{
			&feed.PlayerRanked{Player: salted, PlayerRank: model.PlayerRank{
				Rank: "Media", SupportRank: new(model.Label("hero")), Veteran: new(true),
			}},
			&feed.PlayerRanked{Player: salted, PlayerRank: model.PlayerRank{Rank: "Media"}},
			&feed.AppearanceSet{Player: salted, Appearance: model.Appearance{Wallpaper: "harbour", Avatar: "lantern"}},
			&feed.AccessRulesSet{Player: salted, Rules: map[string]model.Access{"onlineStatus": model.Private}},
			&feed.PlayerBanned{Player: salted}, &feed.PlayerBanned{Player: brindle}, &feed.PlayerUnbanned{Player: brindle},
		}, func(g *game) bool {
			p := g.salted
			return p.Rules[model.OnlineStatus] == model.Private && p.Rules[model.MainAccess] == model.Friend && p.Banned &&
				!g.brindle.Banned && g.brindle.Flagged && *p.Veteran && p.SupportRank == nil && p.Avatar == "lantern"
		}},
		"guilds renamed": {[]feed.Event{
			&feed.GuildRenamed{Guild: moss, Name: "Straße", Prefix: "STR"},
			&feed.GuildRenamed{Guild: row, Name: "Mossbound", Prefix: "ROW"},
		}, func(g *game) bool {
			return g.moss.NameFold == "strasse" && g.salted.Guild.Name == "Straße" && g.brindle.Guild.Prefix == "STR" &&
				*g.land[2].Guild.Name == "Mossbound"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			play(t, store, c.events...)
			if g := readGame(t, store); !c.check(g) {
				t.Errorf("wrong records: %+v", g)
			}
		})
	}
}

func raid(guild feed.GuildID) *feed.RaidCompleted {
	return &feed.RaidCompleted{
		Raid: model.Raids[0], Guild: guild, Raiders: []feed.RaidCompletedRaider{{Character: dusk}},
	}
}

// A batch and the stored game come to the same result as the events one by one.
func TestBatchesAndSingleEvents(t *testing.T) {
	one, _ := mongotest.Open(t)
	many, _ := mongotest.Open(t)
	storeGame(t, one)
	storeGame(t, many)
	var all []feed.Event
	for _, k := range feed.Events {
		all = append(all, example(t, k.Name)...)
	}
	var accepted []feed.Event
	for i, o := range try(t, many, all...) {
		if o.Err == nil {
			accepted = append(accepted, all[i])
		}
	}
	for _, e := range accepted {
		play(t, one, e)
	}
	readGame(t, one).checkStore(t, many)
}

// A season takes ratings only while it runs.
func TestRatingsOutsideTheSeason(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	end := feedTime.Add(time.Minute)
	if err := mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{
		{Number: 4, StartsAt: feedTime, EndsAt: &end, Enabled: true},
	}); err != nil {
		t.Fatal(err)
	}
	for at, ok := range map[time.Time]bool{
		feedTime.Add(-time.Millisecond): false, feedTime: true, end.Add(-time.Millisecond): true, end: false,
	} {
		o := try(t, store, &feed.SeasonRated{Guild: moss, Season: 4, Rating: 1, Territories: 1, At: at})[0]
		if (o.Err == nil) != ok {
			t.Errorf("%s: got %v", at, o.Err)
		}
	}
	// Once it has ended, its board is final, whatever the time of a rating.
	late := feed.New(store, feed.Options{Now: func() time.Time { return end }})
	outcomes, err := late.Apply(t.Context(),
		feed.WithoutKeys(&feed.SeasonRated{Guild: moss, Season: 4, Rating: 1, Territories: 1, At: feedTime}))
	if err != nil || outcomes[0].Err == nil || outcomes[0].Err.Code != feed.Conflict {
		t.Errorf("a late rating: got %+v, %v", outcomes, err)
	}
}

// Senders at the same time lose no counts, and need no order among them.
func TestConcurrentSenders(t *testing.T) {
	store, server := mongotest.Open(t)
	storeGame(t, store)
	other := mongotest.OpenOn(t, server)
	var senders sync.WaitGroup
	for n := range 6 {
		senders.Go(func() {
			f := newFeed([]*mongo.Store{store, other}[n%2])
			for i := range 20 {
				var sent []feed.Sent
				for k, e := range []feed.Event{
					&feed.CharacterGained{Character: dusk, Gain: feed.Gain{Gains: model.Gains{MobsKilled: 1}}},
					&feed.WarWon{Guild: moss, Fighters: []feed.CharacterID{dusk}},
					&feed.Contributed{Player: salted, XP: 1},
				} {
					sent = append(sent, feed.Sent{Key: fmt.Sprint(n, i, k), Event: e})
				}
				_, err := f.Apply(t.Context(), sent)
				for errors.Is(err, mongo.ErrConflict) { // a busy machine: a sender sends the same again
					_, err = f.Apply(t.Context(), sent)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	senders.Wait()
	g := readGame(t, store)
	if d := g.salted.Totals; d.MobsKilled != 1<<40+120 || d.Wars != 123 || g.salted.Membership.Contributed != 127 ||
		*g.moss.Wars != 125 {
		t.Errorf("got %d mobs, %d wars, %d contributed, %d wars of the guild", d.MobsKilled, d.Wars,
			g.salted.Membership.Contributed, *g.moss.Wars)
	}
}

// The same events at the same time on two instances, in other batches, are applied once each.
func TestSameEventsOnTwoInstances(t *testing.T) {
	store, server := mongotest.Open(t)
	storeGame(t, store)
	other := mongotest.OpenOn(t, server)
	const events = 60
	var sent []feed.Sent
	for i := range events {
		sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", i), Event: decode(t, "CharacterGained",
			fmt.Sprintf(`{"character": "%s", "xp": 1, "mobsKilled": 1, "quests": ["Q%d"]}`, dusk, i))})
	}
	var senders sync.WaitGroup
	for n, store := range []*mongo.Store{store, other} {
		senders.Go(func() {
			for from := 0; from < events; from += 10 + n {
				if _, err := newFeed(store).Apply(t.Context(), sent[from:min(events, from+10+n)]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	senders.Wait()
	if c := readGame(t, store).dusk; *c.MobsKilled != events || c.XP != 500+events || len(c.Quests) != events+1 {
		t.Errorf("mobs %d, xp %d, %d quests", *c.MobsKilled, c.XP, len(c.Quests))
	}
}

// The first decision about a key is final: rejected events stay rejected, and another event with the key is noticed.
// Keys expire.
func TestKeys(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	now := time.Now()
	f := feed.New(store, feed.Options{Retention: time.Hour, Now: func() time.Time { return now }})
	apply := func(key, name, fields string) feed.Outcome {
		t.Helper()
		outcomes, err := f.Apply(t.Context(), []feed.Sent{{Key: key, Event: decode(t, name, fields)}})
		if err != nil {
			t.Fatal(err)
		}
		return outcomes[0]
	}
	const player, move = `{"player": "` + salted + `", `, `"location": {"x": 1, "y": 2, "z": 3}}`
	for _, c := range []struct {
		key, name, fields string
		code              feed.Code
		duplicate         bool
	}{
		{"a", "PlayerMoved", player + move, feed.Conflict, false}, // offline
		{"b", "PlayerJoined", player + `"server": "EU1", "character": "` + dusk + `"}`, "", false},
		{"a", "PlayerMoved", player + move, feed.Conflict, true},
		{"c", "PlayerMoved", player + move, "", false},
		{
			"c", "PlayerMoved", `{"location": {"z": 3.0, "y": 2, "x": 1}, "player": "` + strings.ToUpper(salted) + `"}`,
			"", true,
		},
		{"c", "PlayerMoved", player + `"location": {"x": 9, "y": 2, "z": 3}}`, feed.Conflict, false},
		{"c", "PartyLeft", `{"player": "` + salted + `"}`, feed.Conflict, false},
	} {
		o := apply(c.key, c.name, c.fields)
		if o.Duplicate != c.duplicate || (o.Err == nil) != (c.code == "") || o.Err != nil && o.Err.Code != c.code {
			t.Errorf("%s: %s %s: got %+v, want %q, duplicate %v", c.key, c.name, c.fields, o, c.code, c.duplicate)
		}
	}
	// Within one batch.
	left := decode(t, "PlayerLeft", `{"player": "`+salted+`"}`)
	outcomes, err := f.Apply(t.Context(), []feed.Sent{
		{"d", left}, {"d", left}, {"d", decode(t, "PartyLeft", `{"player": "`+salted+`"}`)}, {"b", left},
	})
	if err != nil || outcomes[0] != (feed.Outcome{}) || outcomes[1] != (feed.Outcome{Duplicate: true}) ||
		outcomes[2].Err == nil || outcomes[3].Err == nil {
		t.Errorf("got %+v, %v", outcomes, err)
	}
	now = now.Add(time.Hour)
	if o := apply("c", "PartyLeft", `{"player": "`+salted+`"}`); o != (feed.Outcome{}) {
		t.Errorf("an expired key: got %+v", o)
	}
}

// What a batch changes is purged from all caches, once.
func TestBatchesPurgeOnce(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	var purged []string
	store.OnPurge(func(tags ...string) { purged = append(purged, tags...) })
	play(t, store, &feed.PlayerBanned{Player: salted}, &feed.GuildDisbanded{Guild: moss})
	if want := "guild:" + moss + " player:" + salted + " player:" + brindle; strings.Join(purged, " ") != want {
		t.Errorf("got %q, want %q", purged, want)
	}
}

// A guild keeps the colour of its first capture, and its captures are counted.
func TestColourStays(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	read := func() *model.Guild {
		guilds, err := store.Guilds.ByID(t.Context(), []string{moss})
		if err != nil {
			t.Fatal(err)
		}
		return guilds[0]
	}
	play(t, store, &feed.TerritoryCaptured{Territory: "Field 0", Guild: moss, At: feedTime})
	first := read().StoredColour
	play(t, store, &feed.TerritoryFreed{Territory: "Field 0", At: feedTime})
	play(t, store, &feed.TerritoryCaptured{Territory: "Field 0", Guild: row, At: feedTime},
		&feed.TerritoryCaptured{Territory: "Field 1", Guild: moss, At: feedTime})
	if got := read(); first == "" || got.StoredColour != first || got.Captured != 2 || got.Lost != 1 {
		t.Errorf("got colour %q, then %q, %d captured and %d lost", first, got.StoredColour, got.Captured, got.Lost)
	}
}
