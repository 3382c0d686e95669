package seed_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// shows lists what follows from the description of a member, by username.
var shows = map[string]func(*model.Player, []*model.Character) bool{
	"Salted": func(_ *model.Player, cs []*model.Character) bool {
		return len(cs[0].Unlocked) >= 30 && len(cs[1].Unlocked) > 0 && len(cs[1].Unlocked) < 12 &&
			len(cs[2].Unlocked) == 0
	},
	"Okapi":      history("LNRW MOSS TIDE"),
	"Unwritten":  history("TIDE LNRW"),
	"Journeyer":  history("EMB4 TIDE LNRW MOSS"),
	"Smithson":   history(""),
	"Hollowed":   history(""),
	"Copperleaf": func(p *model.Player, _ []*model.Character) bool { return p.RankColours.Main == "#00aa00" },
	"Gatewarden": func(p *model.Player, _ []*model.Character) bool { return *p.ShortenedRank == "Mod" },
	"Unranked":   func(p *model.Player, _ []*model.Character) bool { return p.RankBadge == nil && p.Veteran == nil },
	"Elderquill": func(_ *model.Player, cs []*model.Character) bool { return *cs[0].PreEconomy },
	"Wanderer": func(p *model.Player, cs []*model.Character) bool {
		return p.Totals.RaidStats == nil && p.Totals.GuildRaids == nil && cs[1].Dungeons == nil && cs[1].Raids == nil
	},
	"Medley":   func(_ *model.Player, cs []*model.Character) bool { return len(cs[1].Gamemodes) == 4 },
	"Turncoat": func(_ *model.Player, cs []*model.Character) bool { return *cs[2].Reskin == "NINJA" },
	"Brindle":  func(_ *model.Player, cs []*model.Character) bool { return cs[1].Meta.Died && !cs[0].Meta.Died },
}

func history(want string) func(*model.Player, []*model.Character) bool {
	return func(p *model.Player, _ []*model.Character) bool {
		var tags []string
		for _, h := range p.GuildHistory {
			tags = append(tags, h.Prefix)
		}
		return strings.Join(tags, " ") == want
	}
}

// The cast is as its file says in several worlds, and names and uuids are unique.
func TestPlayers(t *testing.T) {
	for _, number := range []uint64{1, 99, 1<<63 + 5} {
		i, names, ids := -1, map[string]int{}, map[string]bool{}
		for p, cs := range seed.New(seed.Options{Players: 2000, Seed: number, Now: now}).Players() {
			if i++; ids[p.UUID] || i >= len(seed.Cast) && names[mongo.Fold(p.Username)] > 0 {
				t.Errorf("%d: player %d, %s: name or uuid is taken", number, i, p.Username)
			}
			names[mongo.Fold(p.Username)], ids[p.UUID] = 1, true
			for n, c := range cs {
				if ids[c.UUID] || c.Owner != p.UUID || i < len(seed.Cast) && c.UUID != seed.CharacterUUID(i, n+1) {
					t.Errorf("%d: %s has character %s of %s", number, p.Username, c.UUID, c.Owner)
				}
				ids[c.UUID] = true
			}
			if i >= len(seed.Cast) {
				continue
			}
			m, guild := seed.Cast[i], ""
			if p.Guild != nil {
				guild = *p.Guild.Rank + " " + p.Guild.Prefix
			}
			got := fmt.Sprint(p.Username, p.Address, text(p.World), p.Banned, p.Rank, text((*string)(p.SupportRank)),
				text(p.Nickname), guild, len(p.Featured), len(cs))
			want := fmt.Sprint(m.Username, m.Address, m.Server, m.Banned, cmp.Or(m.Rank, "Player"), m.Support, m.Nickname,
				strings.TrimSpace(m.GuildRank+" "+m.Guild), len(m.Featured), len(m.Characters))
			if show := shows[m.Username]; got != want || show != nil && !show(p, cs) {
				t.Errorf("%d: got %s, want %s, %s", number, got, want, m.Shows)
			}
		}
	}
}
