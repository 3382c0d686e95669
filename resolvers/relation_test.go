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
		relations viewerRelations
		want      relation
	}{
		"guest":                   {viewerRelations{}, relation{}},
		"guest of the same guild": {viewerRelations{guilds: []string{"guild"}}, relation{}},
		"unrelated":               {viewerRelations{viewer: with(viewer.Session, "another")}, relation{}},
		"owner by session":        {viewerRelations{viewer: with(viewer.Session, "target")}, relation{owner: model.AllAccessRules}},
		"owner by token":          {viewerRelations{viewer: with(viewer.Token, "target")}, relation{owner: model.AllAccessRules}},
		"owner by public token":   {viewerRelations{viewer: public, guilds: []string{"guild"}}, relation{}},
		"owner by application": {
			viewerRelations{viewer: with(viewer.OAuth, "target"), guilds: []string{"guild"}},
			relation{owner: model.AccessRuleSetOf(model.MainAccess, model.OnlineStatus)},
		},
		"friend":                {viewerRelations{viewer: with(viewer.Session, "friend")}, relation{friend: true}},
		"friend by token":       {viewerRelations{viewer: with(viewer.Token, "friend")}, relation{friend: true}},
		"friend by application": {viewerRelations{viewer: with(viewer.OAuth, "friend")}, relation{}},
		"guild member": {
			viewerRelations{viewer: with(viewer.Session, "mate"), guilds: []string{"x", "guild"}},
			relation{guildMember: true},
		},
		"guild member by application": {viewerRelations{viewer: with(viewer.OAuth, "mate"), guilds: []string{"guild"}}, relation{}},
		"of another guild":            {viewerRelations{viewer: with(viewer.Session, "mate"), guilds: []string{"x"}}, relation{}},
		"friend in the guild": {
			viewerRelations{viewer: with(viewer.Token, "friend"), guilds: []string{"guild"}},
			relation{friend: true, guildMember: true},
		},
	} {
		if got := c.relations.with(target); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := (viewerRelations{
		viewer: with(viewer.Session, "x"),
		guilds: []string{""},
	}).with(&model.Player{UUID: "alone"}); got != (relation{}) {
		t.Errorf("a player without a guild has the relation %+v", got)
	}
}
