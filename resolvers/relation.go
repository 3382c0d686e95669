package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

// relation is what a viewer is to a player.
type relation struct {
	// owner are the rules for which the viewer counts as the owner: all for whoever owns the
	// player, those granted by scope for an application, none for everybody else.
	owner               model.AccessRuleSet
	friend, guildMember bool
}

// standing is what is known of the viewer when access rules are applied.
type standing struct {
	asker viewer.Viewer
	// guilds are the present guilds of the linked profiles, where one of the players in
	// question makes them matter.
	guilds []string
}

// standingTo says how the viewer of the operation stands towards some players. It reads the
// viewer's linked profiles when a rule of those players asks for guild members; for a guest
// nothing is read at all.
func standingTo(ctx context.Context, players ...*model.Player) (standing, error) {
	s := standing{asker: viewer.From(ctx)}
	if !s.asker.Related() || !slices.ContainsFunc(players, asksForGuild) {
		return s, nil
	}
	profiles, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, s.asker.Own())
	if err != nil {
		return s, fault(err, graph.ErrPlayerNotBuilt)
	}
	for _, p := range profiles {
		if p != nil && p.Guild != nil {
			s.guilds = append(s.guilds, p.Guild.UUID)
		}
	}
	return s, nil
}

// asksForGuild reports whether one of a player's rules depends on the viewer's guild.
func asksForGuild(p *model.Player) bool {
	return p != nil && p.Guild != nil && restrictedRules(p.Rules, relation{}) !=
		restrictedRules(p.Rules, relation{guildMember: true})
}

// to is the viewer's relation to one of the players (WIRE §4.8, table of viewers). The
// player's own list says who is a friend, and the player's own record which guild counts.
func (s standing) to(p *model.Player) relation {
	switch {
	case s.asker.Is(viewer.OAuth):
		if s.asker.Owns(p.UUID) {
			return relation{owner: model.LiftedBy(s.asker.Scopes)}
		}
	case s.asker.Related():
		r := relation{
			friend:      slices.ContainsFunc(p.Friends, s.asker.Owns),
			guildMember: p.Guild != nil && slices.Contains(s.guilds, p.Guild.UUID),
		}
		if s.asker.Owns(p.UUID) {
			r.owner = model.AllAccessRules
		}
		return r
	}
	return relation{}
}
