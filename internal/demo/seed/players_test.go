package seed_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// person is a player with its characters.
type person struct {
	*model.Player
	characters []*model.Character
}

func people(o seed.Options) []person {
	if o.Now.IsZero() {
		o.Now = now
	}
	var out []person
	for p, cs := range seed.Players(o) {
		out = append(out, person{p, cs})
	}
	return out
}

// sample is the world that most tests read.
var sample = sync.OnceValue(func() []person { return people(seed.Options{Players: 3000, Seed: 7}) })

// timeless ignores the times of change, which are those of the writer.
var timeless = cmp.Options{
	cmpopts.IgnoreFields(model.Player{}, "Updated"), cmpopts.IgnoreFields(model.Item{}, "Updated"),
}

// diff returns "" for equal people. It compares by reflect first because cmp.Diff is slow.
func diff(a, b person) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a.Player, b.Player, timeless) + cmp.Diff(a.characters, b.characters)
}

func TestPlayersAreDeterministic(t *testing.T) {
	few := people(seed.Options{Players: 300, Seed: 7})
	for i, p := range few {
		if d := diff(p, sample()[i]); d != "" {
			t.Fatalf("player %d differs in a larger world: %s", i, d)
		}
	}
	other := people(seed.Options{Players: 300, Seed: 8})
	for i, p := range other {
		if reflect.DeepEqual(p, few[i]) {
			t.Errorf("player %d is the same with another seed", i)
		}
	}
	later := people(seed.Options{Players: 60, Seed: 7, Now: now.Add(time.Hour)})
	for i, p := range later {
		if got := p.FirstJoinedAt.Sub(*few[i].FirstJoinedAt); got != time.Hour {
			t.Errorf("an hour later player %d joined %v later", i, got)
		}
	}
}

func TestNamesAndUUIDsAreUnique(t *testing.T) {
	t.Parallel()
	names, ids := map[string][]string{}, map[string]bool{}
	for i, p := range people(seed.Options{Players: 2_000, Seed: 3}) {
		fold := mongo.Fold(p.Username)
		names[fold] = append(names[fold], p.Username)
		if i >= len(seed.Cast) && len(names[fold]) > 1 {
			t.Errorf("player %d: %q is taken", i, p.Username)
		}
		for _, id := range append(uuids(p.characters), p.UUID) {
			if parsed, ok := model.ParseUUID(id); !ok || parsed != id || ids[id] {
				t.Errorf("player %d: uuid %q is malformed or taken", i, id)
			}
			ids[id] = true
		}
	}
	for fold, want := range map[string][]string{"mirrored": {"Mirrored", "Mirrored"}, "twinleaf": {
		"Twinleaf",
		"TWINLEAF",
	}} {
		if d := cmp.Diff(want, names[fold]); d != "" {
			t.Error(d)
		}
	}
}

func uuids(cs []*model.Character) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.UUID)
	}
	return out
}

// count adds up a stat of all characters.
func count(p person, of func(*model.Character) int64) (n int64) {
	for _, c := range p.characters {
		n += of(c)
	}
	return n
}

func TestTotalsAgree(t *testing.T) {
	t.Parallel()
	for i, p := range sample() {
		g := p.Totals
		for _, sum := range []struct {
			stat      string
			got, want int64
		}{
			{"contentCompletion", g.ContentCompletion, count(p, func(c *model.Character) int64 { return *c.ContentCompletion })},
			{"wars", g.Wars, count(p, func(c *model.Character) int64 { return *c.Wars })},
			{"totalLevel", g.TotalLevel, count(p, func(c *model.Character) int64 { return int64(c.TotalLevel) })},
			{"mobsKilled", g.MobsKilled, count(p, func(c *model.Character) int64 { return *c.MobsKilled })},
			{"chestsFound", g.ChestsFound, count(p, func(c *model.Character) int64 { return *c.ChestsFound })},
			{"worldEvents", g.WorldEvents, count(p, func(c *model.Character) int64 { return *c.WorldEvents })},
			{"lootruns", g.Lootruns, count(p, func(c *model.Character) int64 { return *c.Lootruns })},
			{"caves", g.Caves, count(p, func(c *model.Character) int64 { return *c.Caves })},
			{"completedQuests", g.CompletedQuests, count(p, func(c *model.Character) int64 { return int64(len(c.Quests)) })},
			{"pvp.kills", *g.Pvp.Kills, count(p, func(c *model.Character) int64 { return *c.Pvp.Kills })},
			{"pvp.deaths", *g.Pvp.Deaths, count(p, func(c *model.Character) int64 { return *c.Pvp.Deaths })},
			{
				"playtime", int64(math.Round(*p.Playtime * 100)),
				count(p, func(c *model.Character) int64 { return int64(math.Round(*c.Playtime * 100)) }),
			},
		} {
			if sum.got != sum.want || sum.got < 0 {
				t.Errorf("player %d: %s is %d, its characters have %d", i, sum.stat, sum.got, sum.want)
			}
		}
		if d := cmp.Diff(joined(p, func(c *model.Character) *model.CountList { return c.Dungeons }),
			counted(g.Dungeons)); d != "" {
			t.Errorf("player %d: dungeons: %s", i, d)
		}
		if d := cmp.Diff(joined(p, func(c *model.Character) *model.CountList { return c.Raids }), counted(g.Raids)); d != "" {
			t.Errorf("player %d: raids: %s", i, d)
		}
		if (g.RaidStats == nil) != (g.Raids.Total == 0) {
			t.Errorf("player %d: %d raids and raidStats %v", i, g.Raids.Total, g.RaidStats)
		}
		checkList(t, g.Dungeons, false)
		checkList(t, g.Raids, false)
		if p.Playtime != nil && p.LastJoinedAt.Sub(*p.FirstJoinedAt).Hours() < *p.Playtime {
			t.Errorf("player %d played longer than there was time", i)
		}
	}
}

func counted(l *model.CountList) map[string]int64 {
	out := map[string]int64{}
	if l != nil {
		for _, c := range l.List {
			out[c.Name] += c.Count
		}
	}
	return out
}

func joined(p person, of func(*model.Character) *model.CountList) map[string]int64 {
	out := map[string]int64{}
	for _, c := range p.characters {
		for name, n := range counted(of(c)) {
			out[name] += n
		}
	}
	return out
}

// checkList checks a list of completions against its total.
func checkList(t *testing.T, l *model.CountList, zeros bool) {
	t.Helper()
	if l == nil {
		return
	}
	var total int64
	for _, c := range l.List {
		total += c.Count
		if c.Count < 0 || c.Count == 0 && !zeros {
			t.Errorf("%s is listed with %d", c.Name, c.Count)
		}
	}
	if total != l.Total || l.List == nil {
		t.Errorf("a list of %d says total %d", total, l.Total)
	}
}

func TestPlayersHoldTogether(t *testing.T) {
	stars := map[string]int{"OWNER": 5, "CHIEF": 4, "STRATEGIST": 3, "CAPTAIN": 2, "RECRUITER": 1, "RECRUIT": 0}
	owners, guilds, prefixes := map[string]bool{}, map[string]string{}, map[string]string{}
	for i, p := range sample() {
		if p.Guild != nil {
			if *p.Guild.RankStars != strings.Repeat("★", stars[*p.Guild.Rank]) {
				t.Errorf("player %d: %s with %s", i, *p.Guild.Rank, *p.Guild.RankStars)
			}
			if *p.Guild.Rank == "OWNER" && owners[p.Guild.UUID] {
				t.Errorf("player %d: %s has an owner", i, p.Guild.Name)
			}
			owners[p.Guild.UUID] = owners[p.Guild.UUID] || *p.Guild.Rank == "OWNER"
			for m, key := range map[*map[string]string]string{&guilds: p.Guild.Name, &prefixes: p.Guild.Prefix} {
				if have, ok := (*m)[key]; ok && have != p.Guild.UUID {
					t.Errorf("two guilds are called %s", key)
				}
				(*m)[key] = p.Guild.UUID
			}
		}
		checkHistory(t, p)
		checkPresence(t, i, p)
		for _, stat := range p.Featured {
			if (stat.Number == nil) == (stat.Text == nil) || (stat.Text != nil) != (stat.Stat == "firstJoin") {
				t.Errorf("player %d: featured %+v", i, stat)
			}
		}
		if p.Redaction.Done || p.Wallpaper == "" || p.Avatar == "" || p.Ranking == nil || p.PreviousRanking == nil ||
			p.GuildHistory == nil {
			t.Errorf("player %d lacks something: %+v", i, p.Player)
		}
	}
	for id, owned := range owners {
		if !owned {
			t.Errorf("guild %s has no owner", id)
		}
	}
}

func checkHistory(t *testing.T, p person) {
	t.Helper()
	all := map[string]int64{}
	seen := map[string]bool{}
	for _, h := range p.GuildHistory {
		checkList(t, h.GuildRaids, true)
		if h.GuildRaids.Total < 1 || seen[h.UUID] {
			t.Errorf("%s: history of %s with %d raids", p.Username, h.Name, h.GuildRaids.Total)
		}
		seen[h.UUID] = true
		for name, n := range counted(h.GuildRaids) {
			all[name] += n
		}
	}
	g := p.Totals
	if g.GuildRaids == nil {
		if len(all) > 0 {
			t.Errorf("%s: history without guildRaids", p.Username)
		}
		return
	}
	checkList(t, g.GuildRaids, true)
	if len(g.GuildRaids.List) != 5 {
		t.Errorf("%s: guildRaids of %d raids", p.Username, len(g.GuildRaids.List))
	}
	for name, n := range counted(g.GuildRaids) {
		if n != all[name] || n > counted(g.Raids)[name] {
			t.Errorf("%s: %d guild raids of %s, %d in the history, %d in all", p.Username, n, name, all[name],
				counted(g.Raids)[name])
		}
	}
}

func checkPresence(t *testing.T, i int, p person) {
	t.Helper()
	if p.LastJoinedAt.After(now) || p.FirstJoinedAt.After(*p.LastJoinedAt) || p.LastJoinedAt.Nanosecond()%1e6 != 0 {
		t.Errorf("player %d: joined %v and %v", i, p.FirstJoinedAt, p.LastJoinedAt)
	}
	if !p.Online {
		if p.World != nil || p.ActiveCharacter != nil || p.Address != "" {
			t.Errorf("player %d is offline and somewhere", i)
		}
		return
	}
	if p.Address == "" || (p.World == nil) != (p.ActiveCharacter == nil) {
		t.Errorf("player %d is online at %q, %v with %v", i, p.Address, p.World, p.ActiveCharacter)
	}
	if p.ActiveCharacter != nil && !slices.Contains(uuids(p.characters), *p.ActiveCharacter) {
		t.Errorf("player %d plays a character of somebody else", i)
	}
}
