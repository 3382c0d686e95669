package leaderboard_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
)

var now = time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)

// table lists the boards of docs/spec/wire-content.md again: kind, names, metadata keys.
const table = `
C woodcuttingLevel,miningLevel,fishingLevel,farmingLevel,alchemismLevel,armouringLevel xp,playtime
C cookingLevel,jewelingLevel,scribingLevel,tailoringLevel,weaponsmithingLevel,woodworkingLevel xp,playtime
C professionsSoloLevel,combatSoloLevel,totalSoloLevel totalLevel,xp,playtime
P professionsGlobalLevel,combatGlobalLevel,totalGlobalLevel xp,playtime
C playerContent totalLevel,xp,playtime
P globalPlayerContent totalLevel,xp,playtime
M craftsmanContent,ironmanContent,ultimateIronmanContent,hardcoreContent,huntedContent totalLevel,xp,playtime
M huicContent,huichContent,hicContent,hichContent,hardcoreLegacyLevel totalLevel,xp,playtime
P warsCompletion playtime
P grootslangCompletion,orphionCompletion,colossusCompletion,namelessCompletion,frumaCompletion playtime
P grootslangSrPlayers,orphionSrPlayers,colossusSrPlayers,namelessSrPlayers,frumaSrPlayers completions,gambits
P grootslangSrGPlayers,orphionSrGPlayers,colossusSrGPlayers,namelessSrGPlayers,frumaSrGPlayers completions,gambits
G grootslangSrGuilds,orphionSrGuilds,colossusSrGuilds,namelessSrGuilds,frumaSrGuilds completions,gambits
G guildTotalRaids -
L guildLevel,guildTerritories,guildWars -
S guildSeason0,guildSeason7,guildSeason12 -`

func TestCatalogue(t *testing.T) {
	kinds := map[string]model.LeaderboardKind{
		"P": "PLAYER", "C": "CHARACTER", "M": "GAMEMODE", "G": "GUILD_RAIDS",
		"S": "GUILD_SEASON", "L": "GUILD_RECORD",
	}
	type row struct {
		Name, Kind, Metadata string
	}
	var want, got []row
	for line := range strings.Lines(strings.TrimSpace(table)) {
		f := strings.Fields(line)
		for _, name := range strings.Split(f[1], ",") {
			want = append(want, row{name, string(kinds[f[0]]), strings.TrimPrefix(f[2], "-")})
		}
	}
	seasons := []*model.GuildSeason{
		{Number: 12, Enabled: true, StartsAt: now.Add(-time.Hour)},
		{Number: 0, Enabled: true, StartsAt: now.Add(-time.Hour)},
		{Number: 7, Enabled: true, StartsAt: now.Add(-time.Second)},
		{Number: 8, StartsAt: now.Add(-time.Hour)},
		{Number: 13, Enabled: true, StartsAt: now},
		{Number: 14, Enabled: true, StartsAt: now.Add(time.Hour)},
	}
	c := leaderboard.NewCatalogue(leaderboard.Fixed(model.KnownRaids), seasons, now)
	titles := map[string]bool{}
	for _, b := range c.All {
		if b.Title == "" || titles[b.Title] || !strings.HasSuffix(b.Description, ".") {
			t.Errorf("%s: got the title %q and the description %q", b.Name, b.Title, b.Description)
		}
		titles[b.Title] = true
		got = append(got, row{b.Name, string(b.Kind), strings.Join(b.Metadata, ",")})
		if c.Named(b.Name) != b {
			t.Errorf("Named(%q) does not find the board", b.Name)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"", "guildSeason8", "guildSeason13", "WarsCompletion", "guildSeason07"} {
		if c.Named(name) != nil {
			t.Errorf("Named(%q) finds a board", name)
		}
	}
}

func of[N any](n N) *N { return &n }

func id(n byte) string {
	return "00000000-0000-4000-8000-0000000000" + string("0123456789abcdef"[n/16]) + string("0123456789abcdef"[n%16])
}

// TestScores checks the entries of a player and a guild on all boards.
func TestScores(t *testing.T) {
	counts := func(names ...any) *model.CountList {
		out := &model.CountList{}
		for i := 0; i < len(names); i += 2 {
			out.List = append(out.List, &model.NamedCount{Name: names[i].(string), Count: int64(names[i+1].(int))})
		}
		return out
	}
	p := &model.Player{
		UUID: id(1), Totals: &model.PlayerTotals{
			Wars: 9, ContentCompletion: 80,
			Raids: counts("The Canyon Colossus", 120, "Unknown", 7), GuildRaids: counts("The Canyon Colossus", 10,
				"Nest of the Grootslangs", 0),
		},
		Gambits: []*model.RaidGambits{{Raid: "The Canyon Colossus", All: model.GambitCounts{
			Ten: 100, Twenty: 100,
			Thirty: 100,
		}, Guild: model.GambitCounts{Thirty: 2}}},
	}
	low := &model.Character{
		UUID: id(3), Level: 100, XP: 500, TotalLevel: 130, ContentCompletion: of(int64(40)),
		Gamemodes:        []string{"hardcore", "craftsman", "ironman", "hunted"},
		ProfessionLevels: &model.Professions{Mining: &model.ProfessionProgress{Level: 30}},
		ProfessionXP:     map[string]int64{"mining": 7},
	}
	high := &model.Character{
		UUID: id(2), Level: 100, XP: 200_000_000_000, TotalLevel: 100,
		ContentCompletion: of(int64(40)), Gamemodes: []string{"hardcore"},
	}
	blank := &model.Character{UUID: id(4)}
	type place struct {
		board, character string
		meta             int64
	}
	check := func(name string, entries []leaderboard.Entry, want []place) {
		t.Helper()
		var got []place
		for _, e := range entries {
			got = append(got, place{e.Board.Name, e.Character, e.MetaScore})
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(place{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	seasons := []*model.GuildSeason{{Number: 3, Enabled: true}}
	c := leaderboard.NewCatalogue(leaderboard.Fixed(model.KnownRaids), seasons, now)
	check("player", c.OfPlayer(p, []*model.Character{low, high, blank}), []place{
		{"miningLevel", id(3), 3_000_000_000_007},
		{"professionsSoloLevel", id(3), 3_000_000_000_007},
		{"combatSoloLevel", id(2), 10_099_999_999_999},
		{"totalSoloLevel", id(3), 13_000_000_000_507},
		{"professionsGlobalLevel", "", 3_000_000_000_007},
		{"combatGlobalLevel", "", 20_099_999_999_999},
		{"totalGlobalLevel", "", 23_099_999_999_999},
		{"playerContent", id(2), 40},
		{"globalPlayerContent", "", 80},
		{"craftsmanContent", id(3), 40},
		{"ironmanContent", id(3), 40},
		{"hardcoreContent", id(2), 40},
		{"hardcoreContent", id(3), 40},
		{"huntedContent", id(3), 40},
		{"hicContent", id(3), 40},
		{"hichContent", id(3), 40},
		{"hardcoreLegacyLevel", id(3), 13_000_000_000_507},
		{"hardcoreLegacyLevel", id(2), 10_099_999_999_999},
		{"warsCompletion", "", 9},
		{"colossusCompletion", "", 120},
		{"colossusSrPlayers", "", 30_000},
		{"colossusSrGPlayers", "", 2060},
	})
	check("a record without figures", c.OfPlayer(&model.Player{}, []*model.Character{blank}), nil)
	check("guild", c.OfGuild(&model.Guild{
		TotalGuildRaids: 5, Level: 70, Wars: of(int64(3)),
		SeasonResults: []*model.GuildSeasonResult{{SeasonNumber: 3, Rating: 11}, {SeasonNumber: 4, Rating: 12}},
		RaidTallies:   []*model.RaidTally{{Raid: "The Wartorn Palace", Completions: 2, Gambits: model.GambitCounts{Ten: 1}}},
	}),
		[]place{
			{"frumaSrGuilds", "", 410}, {"guildTotalRaids", "", 5}, {"guildSeason3", "", 11},
		})
	if b := c.Named("miningLevel"); b.Score(11_800_441_209_877) != 118 || c.Named("warsCompletion").Score(120) != 120 {
		t.Error("wrong score of a metaScore")
	}
	if max := c.OfPlayer(p, []*model.Character{{UUID: id(5), Level: math.MaxInt}}); max[0].MetaScore < 0 {
		t.Errorf("highest possible level: got metaScore %d, want no overflow", max[0].MetaScore)
	}
}

// TestDescribe checks that every board has exactly the metadata keys that it lists.
func TestDescribe(t *testing.T) {
	seasons := []*model.GuildSeason{{Number: 3, Enabled: true}}
	c := leaderboard.NewCatalogue(leaderboard.Fixed(model.KnownRaids), seasons, now)
	s := leaderboard.Subject{
		Player: &model.Player{}, Character: &model.Character{}, Guild: &model.Guild{},
		Characters: []*model.Character{{XP: 4}},
	}
	for _, b := range c.All {
		m := b.Describe(s, 1)
		for key, present := range map[string]bool{
			"xp": m.Xp != nil, "playtime": m.Playtime != nil,
			"totalLevel": m.TotalLevel != nil, "completions": m.Completions != nil,
			"gambits": m.Gambits != nil,
		} {
			if present != strings.Contains(strings.Join(b.Metadata, " "), key) {
				t.Errorf("%s: got %s present %t", b.Name, key, present)
			}
		}
		if b.Kind == "PLAYER" && m.Xp != nil && !b.NeedsCharacters(99_999_999_999) {
			t.Errorf("%s has xp but does not need characters", b.Name)
		}
	}
}
