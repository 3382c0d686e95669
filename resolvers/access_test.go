package resolvers

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
)

func TestPasses(t *testing.T) {
	guest, owner := relation{}, relation{owner: model.AllAccessRules}
	friend, member := relation{friend: true}, relation{guildMember: true}
	for _, c := range []struct {
		value                        model.Access
		guest, friend, member, owner bool
	}{
		{"", true, true, true, true},
		{model.Public, true, true, true, true},
		{model.Friend, false, true, false, true},
		{model.GuildOnly, false, false, true, true},
		{model.GuildAndFriends, false, true, true, true},
		{model.GuildOrFriends, false, true, true, true},
		{model.Private, false, false, false, true},
		{"no such value", false, false, false, true},
	} {
		for rule := range model.NumAccessRules {
			t.Run(fmt.Sprintf("%s=%q", rule, c.value), func(t *testing.T) {
				var set model.AccessRules
				set[rule] = c.value
				got := []bool{
					passes(set, rule, guest), passes(set, rule, friend), passes(set, rule, member), passes(set, rule, owner),
				}
				if want := []bool{c.guest, c.friend, c.member, c.owner}; !cmp.Equal(got, want) {
					t.Errorf("guest, friend, member, owner pass: got %v, want %v", got, want)
				}
				others := model.AllAccessRules &^ model.AccessRuleSetOf(rule)
				if passes(set, rule, relation{owner: others}) != c.guest {
					t.Error("who owns all but this rule counts as its owner")
				}
				if restricted := restrictedRules(set, guest); restricted&others != 0 {
					t.Errorf("the rule affects others: got %b", restricted)
				}
			})
		}
	}
}

// rich is a player with something behind every rule.
func rich() *model.Player {
	now := time.Date(2026, 3, 19, 23, 45, 48, 0, time.UTC)
	world, char, hours := "EU37", "6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70", 2485.42
	return &model.Player{
		UUID: "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c", Username: "Salted", Online: true, World: &world,
		ActiveCharacter: &char,
		LastJoinedAt:    &now, FirstJoinedAt: &now, Playtime: &hours, Totals: &model.PlayerTotals{ChestsFound: 20418},
		Ranking:         []*model.RankPosition{{Type: "warsCompletion", Position: 540}},
		PreviousRanking: []*model.RankPosition{{Type: "warsCompletion", Position: 538}},
		Featured:        []*model.FeaturedStat{{Stat: "globalData.chestsFound"}, {Stat: "firstJoin"}, {Stat: "playtime"}},
		GuildHistory:    []*model.GuildHistoryEntry{{Name: "Lantern Row"}}, Address: "192.0.2.7",
	}
}

// hiddenFields names the fields a redacted player does not show.
func hiddenFields(p *model.Player) map[string]bool {
	return map[string]bool{
		"online": !p.Online, "server": p.World == nil, "activeCharacter": p.ActiveCharacter == nil,
		"lastJoin":  p.LastJoinedAt == nil,
		"firstJoin": p.FirstJoinedAt == nil, "playtime": p.Playtime == nil, "globalData": p.Totals == nil,
		"featuredStats": p.Featured == nil, "ranking": len(p.Ranking) == 0,
		"previousRanking": len(p.PreviousRanking) == 0,
		"guildHistory":    p.GuildHistory == nil,
	}
}

func TestRedactPlayer(t *testing.T) {
	main := []string{"firstJoin", "playtime", "globalData", "featuredStats", "ranking", "previousRanking", "lastJoin"}
	presence := []string{"online", "server", "activeCharacter", "lastJoin"}
	for _, c := range []struct {
		name   string
		rules  model.AccessRules
		hidden []string
		shown  model.AccessRuleSet
	}{
		{"open", model.AccessRules{}, nil, model.AccessRuleSetOf()},
		{"main", model.AccessRules{model.MainAccess: model.Private}, main, model.AccessRuleSetOf(model.MainAccess)},
		{"presence", model.AccessRules{model.OnlineStatus: model.Friend}, presence, model.AccessRuleSetOf(model.OnlineStatus)},
		{
			"guild history",
			model.AccessRules{model.GuildHistoryAccess: model.GuildOnly},
			[]string{"guildHistory"},
			model.AccessRuleSetOf(model.GuildHistoryAccess),
		},
		{
			"character rules hide nothing of the player",
			model.AccessRules{
				model.CharacterListAccess: model.Private,
				model.CharacterDataAccess: model.Private, model.CharacterBuildAccess: model.Private,
			},
			nil,
			model.AccessRuleSetOf(model.CharacterListAccess, model.CharacterDataAccess, model.CharacterBuildAccess),
		},
		{
			"main and presence",
			model.AccessRules{model.MainAccess: model.Private, model.OnlineStatus: model.Private},
			append(main, presence...),
			model.AccessRuleSetOf(model.MainAccess, model.OnlineStatus),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			record := rich()
			record.Rules = c.rules
			before := *record
			got := redactPlayer(record, relation{})
			want := map[string]bool{}
			for _, f := range c.hidden {
				want[f] = true
			}
			for field, hidden := range hiddenFields(got) {
				if hidden != want[field] {
					t.Errorf("%s hidden is %v, want %v", field, hidden, want[field])
				}
			}
			if got.Redaction != (model.Redaction{Done: true, By: c.shown}) {
				t.Errorf("restricted by %b, want %b", got.Redaction.By, c.shown)
			}
			if got.Address != "" || got.Rules != (model.AccessRules{}) {
				t.Error("address or rules left the record")
			}
			if !cmp.Equal(before, *record) {
				t.Error("the shared record was changed")
			}
			own := redactPlayer(record, relation{owner: model.AllAccessRules})
			for field, hidden := range hiddenFields(own) {
				if hidden {
					t.Errorf("%s is hidden from the owner", field)
				}
			}
		})
	}
}

func TestRedactPlayerOffline(t *testing.T) {
	record := rich()
	record.Online = false
	got := redactPlayer(record, relation{})
	if got.World != nil || got.ActiveCharacter != nil || got.LastJoinedAt == nil {
		t.Error("an offline player shows a world or a character, or lost the time of joining")
	}
}

func TestFeaturedStats(t *testing.T) {
	text := "old"
	p := rich()
	p.Featured = append(p.Featured, &model.FeaturedStat{Stat: "unknown.path", Text: &text},
		&model.FeaturedStat{Stat: "missing"})
	got := map[string]any{}
	for _, s := range featuredStats(p) {
		if s.Number != nil {
			got[s.Stat] = *s.Number
		} else {
			got[s.Stat] = *s.Text
		}
	}
	want := map[string]any{
		"globalData.chestsFound": int64(20418), "firstJoin": "2026-03-19T23:45:48Z",
		"playtime": int64(2485), "unknown.path": "old",
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestRedactCharacter(t *testing.T) {
	record := &model.Character{SkillPoints: &model.SkillPoints{Strength: 40}, Unlocked: []string{"duskStep"}}
	by := func(rules ...model.AccessRule) *model.Player {
		return &model.Player{Redaction: model.Redaction{Done: true, By: model.AccessRuleSetOf(rules...)}}
	}
	all := by(model.MainAccess, model.CharacterListAccess, model.OnlineStatus, model.GuildHistoryAccess,
		model.WeeklyAccess)
	if got := redactCharacter(record, all); got.SkillPoints == nil || got.Redaction.By != 0 {
		t.Error("a rule that guards nothing of a character took effect")
	}
	record.Level, record.Quests, record.Owner = 7, []string{"Sap"}, "owner"
	got := redactCharacter(record, by(model.CharacterDataAccess))
	if got.Quests != nil || got.SkillPoints != nil || got.Pvp != nil || got.Level != 7 || got.Owner != "owner" ||
		got.Unlocked == nil || !got.Restricted(model.CharacterDataAccess) {
		t.Errorf("under characterDataAccess: %+v", got)
	}
	got = redactCharacter(record, by(model.CharacterBuildAccess))
	if got.SkillPoints != nil || got.Unlocked != nil || !got.Restricted(model.CharacterBuildAccess) {
		t.Error("the build is shown under characterBuildAccess")
	}
	if record.SkillPoints == nil {
		t.Error("the shared record was changed")
	}
}

// Every rule hides fields of the records, or the characters as a whole.
func TestEveryRuleHidesSomething(t *testing.T) {
	record := rich()
	record.Weekly = &model.WeeklyProgress{Streak: 3}
	character := &model.Character{SkillPoints: &model.SkillPoints{Strength: 40}, Unlocked: []string{"duskStep"}}
	open := redactPlayer(record, relation{})
	shown := redactCharacter(character, open)
	for rule := range model.NumAccessRules {
		t.Run(rule.String(), func(t *testing.T) {
			record := *record
			record.Rules[rule] = model.Private
			hidden := redactPlayer(&record, relation{})
			if !hidden.Restricted(rule) {
				t.Error("the restriction is not reported")
			}
			player, want := *hidden, *open
			player.Redaction, want.Redaction = model.Redaction{}, model.Redaction{}
			if cmp.Equal(player, want) &&
				cmp.Equal(
					redactCharacter(character, hidden),
					shown,
				) && listsCharacters(hidden) && showsCharacterData(hidden) {
				t.Error("nothing is hidden")
			}
		})
	}
}
