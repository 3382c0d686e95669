package feed_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

var spot = model.Position{X: 1.5, Y: 64, Z: -3}

// Each event leaves the game and the store equal.
func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		play  func(*feed.Batch, *game)
		check func(*game) bool
	}{
		"nothing": {func(*feed.Batch, *game) {}, func(*game) bool { return true }},
		"join": {func(f *feed.Batch, g *game) {
			f.PlayerJoined(g.salted, feed.Joining{
				At: feedTime, Address: "192.0.2.7", Server: "EU1", Character: g.dusk,
				Location: spot,
			})
		}, func(g *game) bool {
			return g.salted.Online && *g.salted.Server == "EU1" && *g.salted.ActiveCharacter == g.dusk.UUID &&
				*g.dusk.Logins == 1
		}},
		"join no world": {
			func(f *feed.Batch, g *game) {
				f.PlayerJoined(g.salted, feed.Joining{
					At:      feedTime,
					Address: "::1",
				})
			},
			func(g *game) bool { return g.salted.Online && g.salted.Server == nil && g.salted.Address == "::1" },
		},
		"leave": {func(f *feed.Batch, g *game) {
			f.PlayerJoined(g.salted, feed.Joining{At: feedTime, Server: "EU1", Character: g.dusk})
			f.PartyJoined(g.salted, "p")
			f.PlayerLeft(g.salted)
		}, func(g *game) bool {
			p := g.salted
			return !p.Online && p.Server == nil && p.ActiveCharacter == nil && p.Address == "" && p.Location == nil &&
				p.Party == "" && p.Flagged
		}},
		"rename": {
			func(f *feed.Batch, g *game) { f.PlayerRenamed(g.salted, "Straße") },
			func(g *game) bool { return g.salted.NameFold == "strasse" },
		},
		"friends": {func(f *feed.Batch, g *game) {
			f.Befriended(g.salted, g.okapi)
			f.Befriended(g.salted, g.brindle)
			f.Befriended(g.okapi, g.salted)
			f.Unfriended(g.salted, g.brindle)
		}, func(g *game) bool {
			return len(g.salted.Friends) == 1 && len(g.okapi.Friends) == 1 && len(g.brindle.Friends) == 0
		}},
		"weekly": {
			func(f *feed.Batch, g *game) {
				f.WeeklyProgressed(g.salted, model.WeeklyProgress{Completed: true, Streak: 3})
			},
			func(g *game) bool { return g.salted.Weekly.Streak == 3 },
		},
		"gain": {func(f *feed.Batch, g *game) {
			for range 2 {
				f.CharacterGained(g.salted, g.dusk, feed.Gain{
					Hours: 0.01, XP: 100, Level: g.dusk.Level + 1, XPPercent: 5,
					MobsKilled: 7, Content: 1, Discoveries: 1, PvpKills: 2,
					Practised: []feed.Practice{{Profession: "mining", XP: 9, Level: 4, XPPercent: 50}, {
						Profession: "cooking",
						Level:      9,
					}},
					Dungeons: []string{"Ice Barrows", "Skeleton"}, Quests: []string{fmt.Sprint("Quest", g.dusk.Level)},
				})
			}
		}, func(g *game) bool {
			c, d := g.dusk, g.salted.GlobalData
			return c.Level == 14 && c.TotalLevel == 18 && d.TotalLevel == 31 && *c.MobsKilled == 14 && d.MobsKilled == 1<<40+
				14 && *c.Playtime == 4.27 &&
				*g.salted.Playtime == 10.52 && c.ProfessionXP["mining"] == 18 && len(c.Quests) == 3 && d.CompletedQuests == 2 &&
				d.Dungeons.Total == 6 && *d.Pvp.Kills == 4
		}},
		"gain where all is null": {func(f *feed.Batch, g *game) {
			g.okapi.GlobalData = nil
			f.CharacterGained(g.okapi, g.bare, feed.Gain{
				Hours: 1, MobsKilled: 1, Level: 1, Dungeons: []string{"Skeleton"},
				PvpDeaths: 1,
			})
			f.CharacterGained(g.okapi, g.bare, feed.Gain{MobsKilled: 2, Level: 1})
		}, func(g *game) bool { return *g.bare.MobsKilled == 3 && *g.bare.Pvp.Deaths == 1 }},
		"raid": {func(f *feed.Batch, g *game) {
			run := feed.RaidRun{Raid: model.Raids[1], Guild: g.moss, Raiders: []feed.Raider{
				{
					Player: g.salted, Character: g.dusk, Gambits: model.GambitCounts{Ten: 1, Thirty: 2},
					Stats: model.RaidStats{DamageDealt: 1 << 40},
				}, {Player: g.brindle, Character: g.brin},
			}}
			f.RaidCompleted(run)
			run.Guild, run.Raid = nil, "Unknown"
			f.RaidCompleted(run)
		}, func(g *game) bool {
			p, tally := g.salted, g.moss.RaidTallies[0]
			return p.GlobalData.Raids.Total == 2 && p.GlobalData.GuildRaids.Total == 1 &&
				len(p.GlobalData.GuildRaids.List) == 5 && p.GuildHistory[0].UUID == g.moss.UUID &&
				p.GlobalData.RaidStats.GambitsUsed == 6 && p.Gambits[0].Guild.Thirty == 2 && p.Gambits[1].Guild.Thirty == 0 &&
				tally.Completions == 1 && tally.Gambits.Ten == 1 && g.moss.TotalGuildRaids == 1 && g.moss.Flagged &&
				g.brindle.GlobalData.RaidStats != nil
		}},
		"second guild": {func(f *feed.Batch, g *game) {
			for _, guild := range []*model.Guild{g.moss, g.row, g.moss} {
				f.RaidCompleted(feed.RaidRun{Raid: model.Raids[0], Guild: guild, Raiders: []feed.Raider{{
					Player:    g.salted,
					Character: g.dusk,
				}}})
			}
		}, func(g *game) bool {
			h := g.salted.GuildHistory
			return len(h) == 2 && h[0].UUID == g.row.UUID && h[1].GuildRaids.Total == 2 &&
				g.salted.GlobalData.GuildRaids.Total == 3
		}},
		"war": {func(f *feed.Batch, g *game) {
			f.WarWon(g.moss, []feed.Fighter{{Player: g.salted, Character: g.dusk}, {Player: g.okapi, Character: g.bare}})
			end := feedTime.Add(time.Hour)
			season := &model.GuildSeason{Number: 4, InitDate: feedTime, EndDate: &end}
			for _, at := range []time.Time{feedTime.Add(-1), end} {
				if f.SeasonRated(g.moss, season, at, 1000, 9) {
					panic("rated outside the season")
				}
			}
			f.SeasonRated(g.moss, season, feedTime, 40, 1)
			f.SeasonRated(g.moss, season, end.Add(-1), 120, 2)
		}, func(g *game) bool {
			return *g.moss.Wars == 6 && g.salted.GlobalData.Wars == 4 && *g.dusk.Wars == 2 && *g.bare.Wars == 1 &&
				g.moss.SeasonResults[0].Rating == 160 && g.moss.SeasonResults[0].FinalTerritories == 2
		}},
		"capture": {func(f *feed.Batch, g *game) {
			f.TerritoryCaptured(feed.Capture{Territory: g.land[0], By: g.moss, At: feedTime, Left: g.land[1:]})
			g.row.Flagged = true
		}, func(g *game) bool {
			won := g.land[0]
			return *won.Guild.Name == "Mossbound" && won.Hq && won.Treasury == "VERY_LOW" && won.Defences == "VERY_LOW" &&
				won.Acquired.Equal(feedTime) && !g.land[1].Hq && g.land[2].Hq
		}},
		"territory": {func(f *feed.Batch, g *game) {
			f.TerritoryFortified(g.land[1], 1, 2)
			f.TerritoryProduced(g.land[1], []int64{60})
			f.TerritoryProduced(g.land[2], []int64{-200})
		}, func(g *game) bool {
			return g.land[1].Resources[0].Stored == 100 && g.land[1].Defences == "MEDIUM" && g.land[2].Resources[0].Stored == 0
		}},
		"guild": {func(f *feed.Batch, g *game) {
			f.GuildJoined(g.okapi, g.row, "RECRUIT", feedTime)
			f.Contributed(g.okapi, 5)
			f.RankGiven(g.okapi, "CHIEF")
			f.GuildLeft(g.brindle)
			f.Contributed(g.brindle, 5)
			f.Contributed(g.salted, 5)
			f.GuildProgressed(g.row, 2, 10)
		}, func(g *game) bool {
			return *g.okapi.Guild.RankStars == "★★★★" && g.okapi.Membership.Contributed == 5 && g.brindle.Guild == nil &&
				g.brindle.Membership == nil &&
				g.salted.Membership.Contributed == 12 && len(g.okapi.GuildHistory) == 0
		}},
		"player deleted": {func(f *feed.Batch, g *game) {
			f.Befriended(g.salted, g.okapi)
			f.CharacterGained(g.salted, g.dusk, feed.Gain{MobsKilled: 1, Level: 12})
			f.PlayerDeleted(g.salted, []*model.Character{g.dusk}, []*model.Player{g.okapi})
			g.salted, g.dusk = nil, nil
		}, func(g *game) bool { return len(g.okapi.Friends) == 0 }},
		"player added and deleted": {func(f *feed.Batch, g *game) {
			p := feed.NewPlayer(mongotest.UUID(9), "Fernwick", feedTime)
			f.PlayerAdded(p)
			f.CharacterAdded(p, feed.NewCharacter(mongotest.UUID(109), "MAGE"))
			f.PlayerDeleted(p, nil, nil)
		}, func(*game) bool { return true }},
		"character deleted": {func(f *feed.Batch, g *game) {
			f.PlayerJoined(g.salted, feed.Joining{At: feedTime, Server: "EU1", Character: g.dusk})
			f.CharacterDeleted(g.salted, g.dusk.UUID, nil)
			g.dusk = nil
		}, func(g *game) bool {
			d := g.salted.GlobalData
			return d.TotalLevel == 0 && d.Wars == 0 && d.MobsKilled == 0 && d.Dungeons.Total == 0 && len(d.Dungeons.List) == 0 &&
				*g.salted.Playtime == 0 && g.salted.Flagged && g.salted.ActiveCharacter == nil && g.salted.Server == nil
		}},
		"guild disbanded": {func(f *feed.Batch, g *game) {
			f.GuildDisbanded(g.row, nil, g.land, feedTime)
			f.GuildDisbanded(g.moss, []*model.Player{g.salted}, nil, feedTime)
			g.brindle.Guild, g.brindle.Membership = nil, nil // not among the members given
			founded := feed.NewGuild(g.row.UUID, "Mossbound", "MOSS", feedTime)
			f.GuildAdded(founded) // name and uuid can be used again
			g.moss, g.row = nil, founded
		}, func(g *game) bool {
			t := g.land[0]
			return t.Guild.UUID == nil && !t.Hq && t.Acquired.Equal(feedTime) && t.Treasury == "VERY_LOW" &&
				g.salted.Guild == nil
		}},
		"territory freed": {func(f *feed.Batch, g *game) {
			f.TerritoryFreed(g.land[0], g.land[1:], feedTime)
			g.row.Flagged = true
		}, func(g *game) bool {
			return g.land[0].Guild.UUID == nil && !g.land[0].Hq && g.land[2].Hq && !g.land[1].Hq
		}},
		"character": {func(f *feed.Batch, g *game) {
			f.GamemodeSet(g.salted, g.dusk, []string{"hardcore"})
			f.CharacterDied(g.dusk)
			f.CharacterDied(g.dusk)
			f.AbilitiesSet(g.dusk, []string{"bash"})
			f.SkillPointsSet(g.dusk, model.SkillPoints{Agility: 5})
			f.CharacterRestyled(g.dusk, new("Dusk"), nil)
		}, func(g *game) bool { return g.dusk.Meta.Died && *g.dusk.Deaths == 1 && g.salted.Flagged }},
		"profile": {func(f *feed.Batch, g *game) {
			f.PlayerRanked(g.salted, feed.Rank{Rank: "Media", SupportRank: new("hero"), Veteran: new(true)})
			f.NicknameSet(g.salted, new("Salty"))
			f.AppearanceSet(g.salted, "harbour", "lantern")
			f.FeaturedStatsSet(g.salted, []*model.FeaturedStat{{Stat: "globalData.wars", Number: new(int64(3))}})
			f.AccessRulesSet(g.salted, map[model.AccessRule]model.Access{model.OnlineStatus: model.Private})
			f.PlayerBanned(g.salted)
			f.PlayerBanned(g.brindle)
			f.PlayerUnbanned(g.brindle)
			f.BannerSet(g.moss, &model.Banner{Base: "GREEN", Layers: []*model.BannerLayer{}})
		}, func(g *game) bool {
			return g.salted.Rules[model.OnlineStatus] == model.Private && g.salted.Rules[model.MainAccess] == model.Friend &&
				g.salted.Banned && !g.brindle.Banned && g.brindle.Flagged
		}},
		"guild renamed": {func(f *feed.Batch, g *game) {
			f.GuildRenamed(g.moss, "Straße", "STR", []*model.Player{g.salted}, nil)
			g.brindle.Guild.Name, g.brindle.Guild.Prefix = "Straße", "STR" // not among the members given
			f.GuildRenamed(g.row, "Row", "ROW", nil, g.land)
		}, func(g *game) bool { return g.moss.NameFold == "strasse" && *g.land[2].Guild.Name == "Row" }},
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g, f := newGame(), &feed.Batch{}
			if name == "gain where all is null" {
				g.okapi.GlobalData = nil
			}
			g.store(t, store)
			c.play(f, g)
			result, err := f.Write(t.Context(), store)
			if err != nil {
				t.Fatal(err)
			}
			missing := int64(0)
			if name == "player added and deleted" {
				missing = 1
			}
			if !c.check(g) || result.Missing != missing || result.Commands > 12 {
				t.Errorf("got result %+v, or wrong records", result)
			}
			g.checkStore(t, store)
		})
	}
}

// Changes of a new record before Write count once.
func TestNewRecords(t *testing.T) {
	store, _ := mongotest.Open(t)
	g := newGame()
	var f feed.Batch
	for _, p := range g.players() {
		f.PlayerAdded(p)
	}
	f.CharacterAdded(g.salted, g.dusk)
	f.CharacterAdded(g.brindle, g.brin)
	f.CharacterAdded(g.okapi, g.bare)
	f.GuildAdded(g.moss)
	f.GuildAdded(g.row)
	f.GuildJoined(g.okapi, g.row, "OWNER", feedTime)
	f.CharacterGained(g.salted, g.dusk, feed.Gain{MobsKilled: 3, Level: 13})
	if err := store.PutTerritories(t.Context(), g.land); err != nil {
		t.Fatal(err)
	}
	result, err := f.Write(t.Context(), store)
	if err != nil || result.Written != 8 {
		t.Fatal(result, err)
	}
	g.checkStore(t, store)
	var taken feed.Batch
	taken.GuildAdded(&model.Guild{UUID: mongotest.UUID(77), Name: "MOSSBOUND", Prefix: "M"})
	if _, err := taken.Write(t.Context(), store); !errors.Is(err, mongo.ErrGuildName) {
		t.Errorf("name of another guild: got %v, want ErrGuildName", err)
	}
}

// Concurrent writers lose no counts, whatever values they have in memory.
func TestConcurrentBatches(t *testing.T) {
	store, _ := mongotest.Open(t)
	newGame().store(t, store)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			g := newGame()
			for range 20 {
				var f feed.Batch
				f.CharacterGained(g.salted, g.dusk, feed.Gain{MobsKilled: 1, Level: 12, XPPercent: 40})
				f.WarWon(g.moss, []feed.Fighter{{Player: g.salted, Character: g.dusk}})
				f.Contributed(g.salted, 1)
				if _, err := f.Write(t.Context(), store); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	ps, err := store.PlayersByUUID(t.Context(), []string{mongotest.UUID(1)})
	if err != nil {
		t.Fatal(err)
	}
	gs, err := store.GuildsByUUID(t.Context(), []string{mongotest.UUID(51)})
	if err != nil {
		t.Fatal(err)
	}
	if d := ps[0].GlobalData; d.MobsKilled != 1<<40+120 || d.Wars != 123 || ps[0].Membership.Contributed != 127 ||
		*gs[0].Wars != 125 {
		t.Errorf("got %d mobs, %d wars, %d contributed, %d wars of the guild", d.MobsKilled, d.Wars,
			ps[0].Membership.Contributed, *gs[0].Wars)
	}
}

// Many events take few commands, which read only what they change.
func TestCommands(t *testing.T) {
	store, server := mongotest.Open(t)
	newGame().store(t, store)
	var f, unknown feed.Batch
	var ps []*model.Player
	for n := range 300 {
		ps = append(ps, &model.Player{UUID: mongotest.UUID(1000 + n), Username: fmt.Sprint("P", n)})
		unknown.PlayerMoved(&model.Player{UUID: mongotest.UUID(5000 + n)}, spot)
	}
	if err := store.InsertPlayers(t.Context(), ps); err != nil {
		t.Fatal(err)
	}
	g := newGame()
	for range 5 {
		for _, p := range ps {
			f.PlayerMoved(p, spot)
			f.PartyJoined(p, "p")
		}
		f.CharacterGained(g.salted, g.dusk, feed.Gain{XP: 1, Level: 12})
		f.TerritoryProduced(g.land[0], []int64{1})
	}
	f.GuildRenamed(g.moss, "Moss", "MO", nil, nil)
	before := server.Stats()
	result, err := f.Write(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	after := server.Stats()
	// 300 players, a character, a guild and a territory, and two members renamed. The parties that the players were in are
	// read first.
	if read := after.DocumentsExamined - before.DocumentsExamined; result.Commands != 5 || result.Written != 305 ||
		read > result.Written+300 || after.CollectionScans != before.CollectionScans {
		t.Errorf(
			"got %+v, %d documents read, %d collections scanned",
			result,
			read,
			after.CollectionScans-before.CollectionScans,
		)
	}
	if result, err := unknown.Write(t.Context(), store); err != nil || result.Missing != 300 || result.Written != 0 {
		t.Errorf("unknown players: got %+v, %v, want 300 missing", result, err)
	}
}
