package seed_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

// checkDeclared checks that a player is as the cast's file says.
func checkDeclared(t *testing.T, m seed.Member, p person) {
	t.Helper()
	for rule, value := range p.Rules {
		if want := cmp.Or(m.Rules[model.AccessRule(rule).Info().Key], model.Public); value != want {
			t.Errorf("rule %d is %s, want %s", rule, value, want)
		}
	}
	var stats []string
	for _, s := range p.Featured {
		stats = append(stats, s.Stat)
	}
	for name, fact := range map[string][2]any{
		"username": {p.Username, m.Username}, "uuid": {p.UUID, m.UUID}, "banned": {p.Banned, m.Banned},
		"online": {p.Online, m.Address != ""}, "world": {text(p.World), m.Server}, "address": {p.Address, m.Address},
		"rank": {p.Rank, cmp.Or(m.Rank, "Player")}, "supporter": {text((*string)(p.SupportRank)), m.Support},
		"nickname": {text(p.Nickname), m.Nickname}, "featured": {fmt.Sprint(stats), fmt.Sprint(m.Featured)},
		"veteran": {p.Veteran != nil && *p.Veteran, m.Veteran},
		"guild":   {guildOf(p), strings.TrimSpace(m.GuildRank + " " + m.Guild)},
	} {
		if fact[0] != fact[1] {
			t.Errorf("%s: got %v, want %v", name, fact[0], fact[1])
		}
	}
	for i, text := range m.Characters {
		checkCharacter(t, text, p.characters[i])
	}
	if m.Characters != nil && len(p.characters) != len(m.Characters) {
		t.Errorf("%d characters, want %d", len(p.characters), len(m.Characters))
	}
}

func checkCharacter(t *testing.T, record json.RawMessage, c *model.Character) {
	t.Helper()
	var want struct {
		Class, Nickname string
		Level           int
		Modes, Removed  []string
		Reskin, Died    bool
	}
	if err := json.Unmarshal(record, &want); err != nil {
		t.Fatal(err)
	}
	if c.ClassKey != strings.ToUpper(want.Class) || c.Level != want.Level || text(c.Nickname) != want.Nickname ||
		!slices.Equal(c.Gamemode, want.Modes) || !slices.Equal(c.RemovedStats, want.Removed) ||
		(c.Reskin != nil) != want.Reskin || c.Meta.Died != want.Died {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func guildOf(p person) string {
	if p.Guild == nil {
		return ""
	}
	return *p.Guild.Rank + " " + p.Guild.Prefix
}

func historyOf(p person) any {
	var out []string
	for _, h := range p.GuildHistory {
		out = append(out, h.Prefix)
	}
	return strings.Join(out, " ")
}

func rankOf(p person) any {
	return p.RankBadge == nil && p.RankColours == nil && p.ShortenedRank == nil && p.Veteran == nil
}

func badgeOf(p person) any {
	return *p.ShortenedRank + " " + *p.RankBadge + " " + p.RankColours.Main
}

// shows lists what follows from the declaration of a member, by username.
var shows = map[string]struct {
	fact func(person) any
	want any
}{
	"Salted": {func(p person) any {
		unlocked := func(i int) int { return len(p.characters[i].Unlocked) }
		return unlocked(0) >= 30 && unlocked(1) > 0 && unlocked(1) < 12 && unlocked(2) == 0
	}, true},
	"Brindle":    {badgeOf, "Player nextgen/badges/rank_player.svg #aaaaaa"},
	"Okapi":      {historyOf, "LNRW MOSS TIDE"},
	"Unwritten":  {historyOf, "TIDE LNRW"},
	"Journeyer":  {historyOf, "EMB4 TIDE LNRW MOSS"},
	"Smithson":   {historyOf, ""},
	"Hollowed":   {historyOf, ""},
	"Copperleaf": {badgeOf, "Player nextgen/badges/rank_vip.svg #00aa00"},
	"Gatewarden": {badgeOf, "Mod nextgen/badges/rank_mod.svg #ffaa00"},
	"Unranked":   {rankOf, true},
	"Elderquill": {func(p person) any { return *p.characters[0].PreEconomy }, true},
	"Wanderer": {func(p person) any {
		g := p.Totals
		return fmt.Sprint(g.Raids.Total, g.RaidStats == nil, g.GuildRaids == nil, p.characters[0].Raids.Total,
			p.characters[1].Dungeons == nil, p.characters[1].Raids == nil)
	}, "0 true true 0 true true"},
	"Blank":      {func(p person) any { return len(p.characters[0].Unlocked) }, 0},
	"Pathfinder": {func(p person) any { return counted(p.Totals.Raids)["Unknown"] }, int64(7)},
}

// The cast is as declared, and shows what its members say, in several worlds.
func TestCast(t *testing.T) {
	for _, number := range []uint64{1, 2, 99, 12345} {
		for i, p := range people(seed.Options{Players: 60, Seed: number})[:len(seed.Cast)] {
			m := seed.Cast[i]
			t.Run(fmt.Sprint(number, " ", m.Username), func(t *testing.T) {
				checkDeclared(t, m, p)
				for n, c := range p.characters {
					if c.UUID != seed.CharacterUUID(i, n+1) {
						t.Errorf("character %d: got %s, want %s", n+1, c.UUID, seed.CharacterUUID(i, n+1))
					}
				}
				if s, ok := shows[m.Username]; ok && s.fact(p) != s.want {
					t.Errorf("got %v, want %v", s.fact(p), s.want)
				}
			})
		}
	}
}
