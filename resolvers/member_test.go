package resolvers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
)

var founded = time.Date(2025, 6, 8, 10, 12, 28, 745e6, time.UTC)

// mate is a member of the guild with uuid "g" who shows everything.
func mate(uuid, rank string, contributed int64, joinedAfter time.Duration) *model.Player {
	p := rich()
	p.UUID, p.Username = uuid, "name of "+uuid
	p.Guild = &model.GuildReference{UUID: "g", Rank: &rank}
	p.Membership = &model.Membership{JoinedAt: founded.Add(joinedAfter), Contributed: contributed}
	p.Weekly = &model.WeeklyProgress{Completed: true, Streak: 6}
	p.Totals = &model.PlayerTotals{Wars: 412}
	p.GuildHistory = []*model.GuildHistoryEntry{{UUID: "other", GuildRaids: &model.CountList{Total: 7}}, {
		UUID: "g",
		GuildRaids: &model.CountList{Total: 12, List: []*model.NamedCount{{Name: "Unknown", Count: 2}, {
			Name:  model.Raids[1],
			Count: 10,
		}}},
	}}
	return p
}

// Missing parts of a record have defaults.
func TestMemberOfAnOlderRecord(t *testing.T) {
	p := mate("a", "GARDENER", 1, 0)
	p.Membership, p.Weekly, p.GuildHistory = nil, nil, nil
	m := memberOf(&model.Guild{UUID: "g", CreatedAt: founded}, p, relation{})
	if d := cmp.Diff(&model.CountList{}, m.Totals.GuildRaids) + cmp.Diff(&model.WeeklyProgress{}, m.Weekly); d != "" {
		t.Error(d)
	}
	if m.Rank != "RECRUIT" || m.Contributed != 0 || !m.JoinedAt.Equal(founded) {
		t.Errorf("%s, %d given since %v", m.Rank, m.Contributed, m.JoinedAt)
	}
}

func TestMembersByContribution(t *testing.T) {
	hidden := mate("hidden", "RECRUIT", 40, 0)
	hidden.Rules[model.OnlineStatus] = model.Private
	late, early := mate("late", "RECRUIT", 30, 0), mate("early", "RECRUIT", 50, 0)
	for i, p := range []*model.Player{hidden, late, early} {
		p.Username = "Mirrored"
		at := founded.AddDate(0, 0, 9-i)
		p.LastJoinedAt = &at
	}
	ms := membersOf(&model.Guild{UUID: "g", CreatedAt: founded}, []*model.Player{
		late, mate("c", "CHIEF", 10, time.Hour), mate("b", "CHIEF", 10, time.Hour), mate("d", "OWNER", 10, 0), hidden,
		mate("z", "RECRUIT", 35, 0), early,
	}, viewerRelations{})
	byRank := &model.GuildMemberOrder{Field: model.GuildMemberOrderFieldRank, Direction: model.OrderDirectionAsc}
	ms = sortMembers(ms, byRank)
	ranks := map[string]int{}
	order := ""
	for _, m := range ms {
		ranks[m.uuid()] = m.place
		order += " " + m.uuid()
	}
	// Of the three of one name who joined last comes first; what is hidden counts as longest ago.
	if want := " d b c late early z hidden"; order != want {
		t.Errorf("order is %q, want %q", order, want)
	}
	if d := cmp.Diff(map[string]int{"early": 1, "hidden": 2, "z": 3, "late": 4, "d": 5, "b": 6, "c": 7}, ranks); d != "" {
		t.Error(d)
	}
}

func TestMemberOrders(t *testing.T) {
	players := []*model.Player{mate("a", "OWNER", 30, 3*time.Hour), mate("b", "RECRUIT", 50, 0), mate("c", "CHIEF", 40,
		time.Hour), mate("d", "CHIEF", 10, 2*time.Hour)}
	hours := 9000.0
	players[3].Playtime, players[2].Rules[model.MainAccess] = &hours, model.Private
	for _, c := range []struct {
		field     model.GuildMemberOrderField
		ascending string
		descends  string
	}{
		{model.GuildMemberOrderFieldContribution, "dacb", "bcad"},
		{model.GuildMemberOrderFieldRank, "acdb", "bcda"},
		{model.GuildMemberOrderFieldJoinedAt, "bcda", "adcb"},
		{model.GuildMemberOrderFieldPlaytime, "badc", "dbac"},
		{model.GuildMemberOrderFieldWars, "badc", "badc"},
		{model.GuildMemberOrderFieldLastJoinedAt, "badc", "badc"},
		{model.GuildMemberOrderFieldUsername, "abcd", "dcba"},
	} {
		for d, want := range map[model.OrderDirection]string{
			model.OrderDirectionAsc: c.ascending, model.OrderDirectionDesc: c.descends,
		} {
			ms := membersOf(&model.Guild{UUID: "g"}, players, viewerRelations{})
			ms = sortMembers(ms, &model.GuildMemberOrder{Field: c.field, Direction: d})
			got := ""
			for _, m := range ms {
				got += m.uuid()
			}
			if got != want {
				t.Errorf("by %s %s: %s, want %s", c.field, d, got, want)
			}
		}
	}
}

// Filters consider what the viewer may see: who hides their presence counts as offline.
func TestMemberFilters(t *testing.T) {
	players := []*model.Player{
		mate("a", "OWNER", 30, 3*time.Hour), mate("b", "RECRUIT", 50, 0), mate("c", "CHIEF", 40, time.Hour),
	}
	players[1].Rules[model.OnlineStatus] = model.Private
	min, from := int64(40), founded.Add(time.Hour)
	for name, c := range map[string]struct {
		filter *model.GuildMemberFilter
		want   string
	}{
		"none":        {nil, "bca"},
		"ranks":       {&model.GuildMemberFilter{Ranks: []string{"OWNER", "RECRUIT"}}, "ba"},
		"no rank":     {&model.GuildMemberFilter{Ranks: []string{}}, ""},
		"online":      {&model.GuildMemberFilter{Online: new(true)}, "ca"},
		"offline":     {&model.GuildMemberFilter{Online: new(false)}, "b"},
		"contributed": {&model.GuildMemberFilter{Contributed: &model.Int64Range{Min: &min}}, "bc"},
		"joined":      {&model.GuildMemberFilter{JoinedAt: &model.DateTimeRange{From: &from}}, "ca"},
		"all": {&model.GuildMemberFilter{
			Online: new(true), JoinedAt: &model.DateTimeRange{From: &from}, Contributed: &model.Int64Range{Min: &min},
		}, "c"},
	} {
		got := ""
		for _, m := range membersOf(&model.Guild{UUID: "g"}, players, viewerRelations{}) {
			if m.matches(c.filter) {
				got += m.uuid()
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
