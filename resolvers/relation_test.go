package resolvers

import (
	"testing"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func TestRelation(t *testing.T) {
	target := &model.Player{UUID: "target", Friends: []string{"friend"}, Guild: &model.GuildReference{UUID: "guild"}}
	with := func(kind viewer.Kind, profile string) viewer.Viewer {
		return viewer.Viewer{Kind: kind, Profiles: []string{"other", profile}, Scopes: []string{
			"identify", "main_access",
			"online_status", "weekly_access", "no_such_access",
		}}
	}
	public := with(viewer.Token, "target")
	public.Public = true
	for name, c := range map[string]struct {
		standing standing
		want     relation
	}{
		"guest":                   {standing{}, relation{}},
		"guest of the same guild": {standing{guilds: []string{"guild"}}, relation{}},
		"stranger":                {standing{asker: with(viewer.Session, "somebody")}, relation{}},
		"owner by session":        {standing{asker: with(viewer.Session, "target")}, relation{owner: model.AllAccessRules}},
		"owner by token":          {standing{asker: with(viewer.Token, "target")}, relation{owner: model.AllAccessRules}},
		"owner by public token":   {standing{asker: public, guilds: []string{"guild"}}, relation{}},
		"owner by application": {
			standing{asker: with(viewer.OAuth, "target"), guilds: []string{"guild"}},
			relation{owner: model.AccessRuleSetOf(model.MainAccess, model.OnlineStatus)},
		},
		"friend":                {standing{asker: with(viewer.Session, "friend")}, relation{friend: true}},
		"friend by token":       {standing{asker: with(viewer.Token, "friend")}, relation{friend: true}},
		"friend by application": {standing{asker: with(viewer.OAuth, "friend")}, relation{}},
		"guild member": {
			standing{asker: with(viewer.Session, "mate"), guilds: []string{"x", "guild"}},
			relation{guildMember: true},
		},
		"guild member by application": {standing{asker: with(viewer.OAuth, "mate"), guilds: []string{"guild"}}, relation{}},
		"of another guild":            {standing{asker: with(viewer.Session, "mate"), guilds: []string{"x"}}, relation{}},
		"friend in the guild": {
			standing{asker: with(viewer.Token, "friend"), guilds: []string{"guild"}},
			relation{friend: true, guildMember: true},
		},
	} {
		if got := c.standing.to(target); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := (standing{
		asker:  with(viewer.Session, "x"),
		guilds: []string{""},
	}).to(&model.Player{UUID: "alone"}); got != (relation{}) {
		t.Errorf("somebody in no guild has the guild mate %+v", got)
	}
}
