package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

// OauthMe returns what every grant shows an application. Access rules do not apply: the user agreed to it.
func (queryResolver) OauthMe(ctx context.Context) (*model.OAuthMe, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.OAuth) {
		return nil, graph.ErrInvalidToken
	}
	linked, err := linkedPlayers(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.OAuthMe{
		Application: &model.GrantedApplication{ClientID: v.App, Scopes: slices.Clone(v.Scopes)},
		Profiles:    make([]*model.LinkedProfile, len(linked)),
	}
	for i, p := range linked {
		out.Profiles[i] = &model.LinkedProfile{
			UUID: p.UUID, Username: p.Username, Primary: i == 0, Rank: p.Rank, SupportRank: p.SupportRank,
			ShortenedRank: p.ShortenedRank, LegacyRankColour: p.LegacyRankColour, RankBadge: p.RankBadge,
			AccessRules: p.Rules.Profile(),
		}
	}
	return out, nil
}

// linkedPlayers returns the players linked to the viewer's account as stored, the primary one first.
// Unknown players are left out.
func linkedPlayers(ctx context.Context) ([]*model.Player, error) {
	found, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, viewer.From(ctx).Own())
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return slices.DeleteFunc(found, func(p *model.Player) bool { return p == nil }), nil
}
