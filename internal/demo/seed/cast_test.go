package seed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// rulesOf names the access rules of a player that are not public.
func rulesOf(p person) string {
	var out []string
	for rule, value := range p.Rules {
		if value != model.Public {
			out = append(out, model.AccessRule(rule).Info().Key+" "+string(value))
		}
	}
	return strings.Join(out, ", ")
}

// everyRule is the result of rulesOf if all seven rules have one value.
func everyRule(value string) string {
	var out []string
	for rule := range model.NumAccessRules {
		out = append(out, rule.Info().Key+" "+value)
	}
	return strings.Join(out, ", ")
}

// worldOf returns a player's world and address, "nowhere" for a player online on no world, or "offline".
func worldOf(p person) string {
	switch {
	case !p.Online:
		return "offline"
	case p.Server == nil:
		return "nowhere"
	}
	return *p.Server + " from " + p.Address
}

func guildOf(p person) string {
	if p.Guild == nil {
		return "none"
	}
	return *p.Guild.Rank + " of " + p.Guild.Name
}

func historyOf(p person) string {
	var out []string
	for _, h := range p.GuildHistory {
		out = append(out, h.Prefix)
	}
	return strings.Join(out, " ")
}

// modesOf returns the gamemodes of all characters and marks dead ones.
func modesOf(p person) string {
	var out []string
	for _, c := range p.characters {
		modes := strings.Join(c.Gamemode, "+")
		if c.Meta.Died {
			modes += " died"
		}
		out = append(out, modes)
	}
	return strings.Join(out, ", ")
}

func rankOf(p person) string {
	if p.RankBadge == nil && p.LegacyRankColour == nil && p.ShortenedRank == nil && p.Veteran == nil {
		return p.Rank + " drawn as null"
	}
	support, nickname := "", ""
	if p.SupportRank != nil {
		support = *p.SupportRank
	}
	if p.Nickname != nil {
		nickname = *p.Nickname
	}
	return fmt.Sprintf("%s %s %s %q %s %s", p.Rank, *p.ShortenedRank, support, nickname,
		strings.TrimSuffix(strings.TrimPrefix(*p.RankBadge, "nextgen/badges/rank_"), ".svg"), p.LegacyRankColour.Main)
}

func charactersOf(p person) string {
	var out []string
	for _, c := range p.characters {
		text := c.Type
		if c.Reskin != nil {
			text += " as " + *c.Reskin
		}
		if c.Nickname != nil {
			text += " called " + *c.Nickname
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func unlockedOf(p person) string {
	var out []string
	for _, c := range p.characters {
		switch n := len(c.Unlocked); {
		case n == 0:
			out = append(out, "none")
		case n < 12:
			out = append(out, "few")
		case n >= 30:
			out = append(out, "many")
		}
	}
	return strings.Join(out, " ")
}

func featuredOf(p person) string {
	var out []string
	for _, s := range p.Featured {
		out = append(out, s.Stat)
	}
	return strings.Join(out, " ")
}

// shows lists the facts that Member.Shows states, by username.
var shows = map[string][]struct {
	fact func(person) string
	want string
}{
	"Salted": {
		{rulesOf, ""},
		{worldOf, "EU37 from 127.0.0.1"},
		{guildOf, "CHIEF of Mossbound Company"},
		{historyOf, "MOSS LNRW"},
		{rankOf, `Player Player champion "" champion #ffaa00`},
		{modesOf, ", hardcore+ironman died, , , "},
		{unlockedOf, "many few none many"},
		{charactersOf, "ASSASSIN as NINJA called Dusk, ARCHER, MAGE, SHAMAN, WARRIOR"},
		{featuredOf, "globalData.chestsFound globalData.totalLevel firstJoin playtime"},
	},
	"Brindle": {
		{rulesOf, ""},
		{worldOf, "EU37 from 127.0.0.1"},
		{charactersOf, "ARCHER called Brin, MAGE"},
		{modesOf, "hardcore, hardcore+hunted died"},
	},
	"Okapi": {
		{rankOf, `Media Media champion "Stripes" media #aa00aa`},
		{worldOf, "WC17 from ::1"},
		{historyOf, "LNRW MOSS TIDE"},
	},
	"Veiled":     {{rulesOf, everyRule("private")}, {worldOf, "EU37 from 192.0.2.3"}},
	"Mirrored":   {{rulesOf, ""}, {worldOf, "offline"}},
	"Twinleaf":   {{rulesOf, ""}},
	"TWINLEAF":   {{rulesOf, ""}},
	"Hollowed":   {{charactersOf, ""}, {historyOf, ""}, {rulesOf, ""}},
	"Quietmoss":  {{rulesOf, "onlineStatus private"}, {worldOf, "WC1 from 192.0.2.17"}},
	"Shuttered":  {{rulesOf, "mainAccess private"}},
	"Loomkeeper": {{rulesOf, "characterBuildAccess private"}},
	"Listless":   {{rulesOf, "characterListAccess private"}},
	"Sealed":     {{rulesOf, "characterDataAccess private"}},
	"Unwritten":  {{rulesOf, "guildHistoryAccess private"}, {historyOf, "TIDE LNRW"}},
	"Foggy":      {{rulesOf, "mainAccess private, onlineStatus private"}, {worldOf, "US12 from 198.51.100.15"}},
	"Vaulted":    {{rulesOf, "characterListAccess private, characterDataAccess private"}},
	"Companion":  {{rulesOf, everyRule("friend")}, {worldOf, "EU37 from 198.51.100.17"}},
	"Hearthside": {
		{rulesOf, everyRule("guild")},
		{guildOf, "CAPTAIN of Mossbound Company"},
		{worldOf, "WC1 from 198.51.100.18"},
	},
	"Gathering":   {{rulesOf, everyRule("guildandfriends")}, {guildOf, "OWNER of Lantern Row"}},
	"Oldspelling": {{rulesOf, everyRule("guildorfriends")}, {guildOf, "RECRUIT of Mossbound Company"}},
	"Patchwork": {
		{
			rulesOf,
			"characterListAccess friend, characterDataAccess guild, characterBuildAccess guildandfriends, onlineStatus " +
				"private, guildHistoryAccess guildorfriends",
		},
		{worldOf, "EU37 from 198.51.100.21"},
	},
	"Copperleaf": {{rankOf, `Player Player vip "" vip #00aa00`}},
	"Silverleaf": {{rankOf, `Player Player vipplus "" vipplus #00aaaa`}},
	"Goldleaf":   {{rankOf, `Player Player hero "Aurum" hero #aa00aa`}, {worldOf, "EU37 from 198.51.100.24"}},
	"Stewardess": {{rankOf, `Administrator Admin  "" admin #aa0000`}, {worldOf, "US12 from 2001:db8::25"}},
	"Gatewarden": {{rankOf, `Moderator Mod hero "" mod #ffaa00`}},
	"Mason":      {{rankOf, `Builder Builder  "" builder #00aaaa`}},
	"Spider":     {{rankOf, `WebDev WebDev  "" webdev #0000aa`}, {worldOf, "nowhere"}},
	"Unranked":   {{rankOf, "Player drawn as null"}},
	"Elderquill": {{func(p person) string { return fmt.Sprint(*p.Veteran, *p.characters[0].PreEconomy) }, "true true"}},
	"Colossal": {{func(p person) string {
		c := p.characters[0]
		return fmt.Sprint(c.XP > 1<<32, *c.MobsKilled > 1<<32, *c.BlocksWalked > 1<<32, *c.ChestsFound > 1<<32,
			p.GlobalData.MobsKilled > 1<<32,
			p.GlobalData.RaidStats.DamageDealt > 1<<32, *p.characters[1].BlocksWalked < 0)
	}, "true true true true true true true"}},
	"Wanderer": {{func(p person) string {
		g := p.GlobalData
		return fmt.Sprint(g.Raids.Total, g.RaidStats == nil, g.GuildRaids == nil, p.characters[0].Raids.Total,
			p.characters[1].Dungeons == nil, p.characters[1].Raids == nil)
	}, "0 true true 0 true true"}},
	"Blank": {
		{guildOf, "none"},
		{historyOf, ""},
		{featuredOf, ""},
		{unlockedOf, "none"},
		{func(p person) string {
			return fmt.Sprint(p.characters[0].Level)
		}, "1"},
	},
	"Showcase": {
		{
			featuredOf,
			"globalData.chestsFound globalData.totalLevel firstJoin playtime globalData.contentCompletion " +
				"globalData.wars globalData.mobsKilled " +
				"globalData.worldEvents globalData.lootruns globalData.caves globalData.completedQuests " +
				"globalData.dungeons.total globalData.raids.total",
		},
	},
	"Journeyer": {{guildOf, "none"}, {historyOf, "EMB4 TIDE LNRW MOSS"}},
	"Modest":    {{modesOf, "hardcore, ironman, ultimate_ironman, craftsman, hunted"}},
	"Medley": {
		{
			modesOf,
			"hardcore+ultimate_ironman+craftsman, hardcore+ultimate_ironman+craftsman+hunted, hardcore+ironman+craftsman, " +
				"hardcore+ironman+craftsman+hunted, ironman+hunted",
		},
	},
	"Turncoat": {
		{charactersOf, "ARCHER as HUNTER, WARRIOR as KNIGHT, ASSASSIN as NINJA, MAGE as DARKWIZARD, SHAMAN as SKYSEER"},
		{func(p person) string { return fmt.Sprint(p.characters[0].RemovedStat) }, "[wars mobsKilled chestsFound]"},
	},
	"Pathfinder": {
		{guildOf, "OWNER of Mossbound Company"},
		{worldOf, "WC1 from 198.51.100.39"},
		{func(p person) string { return fmt.Sprint(counted(p.GlobalData.Raids)["Unknown"]) }, "7"},
	},
	"Outlawed": {{func(p person) string { return fmt.Sprint(p.Banned) }, "true"}, {rulesOf, ""}},
	"Smithson": {{guildOf, "OWNER of The Ember Forge"}, {historyOf, ""}, {worldOf, "EU12 from 2001:db8::40"}},
}

// TestCast checks the facts about the cast in several worlds.
func TestCast(t *testing.T) {
	for _, world := range []seed.Options{
		{Players: 60, Seed: 1},
		{Players: 60, Seed: 2},
		{Players: 60, Seed: 99},
		{Players: 60, Seed: 12345},
	} {
		for i, p := range people(world)[:len(seed.Cast)] {
			m := seed.Cast[i]
			if p.Username != m.Username || p.UUID != m.UUID || m.Shows == "" {
				t.Errorf("Cast[%d]: got %s %s, want %s %s", i, p.Username, p.UUID, m.Username, m.UUID)
			}
			for n, c := range p.characters {
				if c.UUID != seed.CharacterUUID(i, n+1) {
					t.Errorf("%s, character %d: got %s, want %s", m.Username, n+1, c.UUID, seed.CharacterUUID(i, n+1))
				}
			}
			if len(shows[m.Username]) == 0 {
				t.Errorf("%s: no facts to check", m.Username)
			}
			for _, s := range shows[m.Username] {
				if got := s.fact(p); got != s.want {
					t.Errorf("seed %d, %s: got %q, want %q", world.Seed, m.Username, got, s.want)
				}
			}
		}
	}
}

// Names of the cast differ from all generated ones, which begin with eight letters of which the third, fifth and
// seventh are vowels.
func TestCastNamesAreNotGenerated(t *testing.T) {
	t.Parallel()
	vowel := func(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
	for _, m := range seed.Cast {
		if n := mongo.Fold(m.Username); len(n) >= 8 && !vowel(n[1]) && vowel(n[2]) && vowel(n[4]) && vowel(n[6]) {
			t.Errorf("%s could be generated", m.Username)
		}
	}
	for _, p := range sample()[len(seed.Cast):] {
		if n := mongo.Fold(p.Username); !vowel(n[2]) || !vowel(n[4]) || !slices.Contains([]int{8, 10}, len(n)) {
			t.Errorf("%s does not have the form of generated names", p.Username)
		}
	}
}

// TestFirstTen checks which of the cast the smallest world has.
func TestFirstTen(t *testing.T) {
	var names []string
	for _, p := range people(seed.Options{Players: 10}) {
		names = append(names, p.Username)
	}
	want := "Salted Brindle Okapi Veiled Mirrored Mirrored Hollowed Quietmoss Shuttered Loomkeeper"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
