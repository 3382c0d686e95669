package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

type relation struct {
	// owner is the set of rules for which the viewer counts as the owner: all rules for the user who owns the player,
	// the rules lifted by scopes for that user's application, and none for others.
	owner               model.AccessRuleSet
	friend, guildMember bool
	// rules replaces the player's own rules in a preview; else it is nil.
	rules *model.AccessRules
}

// viewerRelations holds the facts about the viewer on which access rules depend.
type viewerRelations struct {
	viewer viewer.Viewer
	// guilds lists the current guilds of the linked profiles. It is loaded only if a rule depends on it.
	guilds []string
}

// loadRelations returns the viewer's relations to some players. It loads the viewer's linked profiles
// if a rule of those players depends on the guild, and nothing for a guest.
func loadRelations(ctx context.Context, players ...*model.Player) (viewerRelations, error) {
	r := viewerRelations{viewer: viewer.From(ctx)}
	if !r.viewer.Related() || !slices.ContainsFunc(players, dependsOnGuild) {
		return r, nil
	}
	profiles, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, r.viewer.Own())
	if err != nil {
		return r, storeError(err, graph.ErrPlayerNotBuilt)
	}
	for _, p := range profiles {
		if p != nil && p.Guild != nil {
			r.guilds = append(r.guilds, p.Guild.UUID)
		}
	}
	return r, nil
}

func dependsOnGuild(p *model.Player) bool {
	return p != nil && p.Guild != nil && restrictedRules(p.Rules, relation{}) !=
		restrictedRules(p.Rules, relation{guildMember: true})
}

func (r viewerRelations) with(p *model.Player) relation {
	out := r.real(p)
	if preview := r.viewer.Preview; preview != nil && preview.Player == p.UUID {
		var rules model.AccessRules
		for rule := range model.NumAccessRules {
			rules[rule] = model.Access(preview.Rules[rule.Info().Name])
		}
		out.friend, out.guildMember, out.rules = preview.Friend, preview.GuildMember, &rules
	}
	return out
}

// real is with, but ignores a preview. It uses the player's own list of friends and guild.
func (r viewerRelations) real(p *model.Player) relation {
	switch {
	case r.viewer.Is(viewer.OAuth):
		if r.viewer.Owns(p.UUID) {
			return relation{owner: model.LiftedBy(r.viewer.Scopes)}
		}
	case r.viewer.Related():
		out := relation{
			friend:      slices.ContainsFunc(p.Friends, r.viewer.Owns),
			guildMember: p.Guild != nil && slices.Contains(r.guilds, p.Guild.UUID),
		}
		if r.viewer.Owns(p.UUID) {
			out.owner = model.AllAccessRules
		}
		return out
	}
	return relation{}
}
