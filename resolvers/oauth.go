package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

// OauthMe returns what every grant shows an application, nil for other viewers. Access rules do not apply: the user
// agreed to it.
func (queryResolver) OauthMe(ctx context.Context) (*model.OAuthMe, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.OAuth) {
		return nil, nil
	}
	profiles, err := linkedProfiles(ctx)
	if err != nil {
		return nil, err
	}
	return &model.OAuthMe{
		Application: &model.GrantedApplication{ClientID: v.App, Scopes: slices.Clone(v.Scopes)}, Profiles: profiles,
	}, nil
}

// LinkedProfiles returns the players of the account with their access rules, which their owner may see.
func (r viewerResolver) LinkedProfiles(ctx context.Context, _ *model.Viewer) ([]*model.LinkedProfile, error) {
	if _, err := r.signedIn(ctx); err != nil {
		return nil, nil
	}
	return linkedProfiles(ctx)
}

func linkedProfiles(ctx context.Context) ([]*model.LinkedProfile, error) {
	linked, err := linkedPlayers(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.LinkedProfile, len(linked))
	for i, p := range linked {
		out[i] = newLinkedProfile(p, i == 0)
	}
	return out, nil
}

func newLinkedProfile(p *model.Player, primary bool) *model.LinkedProfile {
	return &model.LinkedProfile{
		UUID: p.UUID, Username: p.Username, Primary: primary, Rank: p.Rank, RankText: p.Rank,
		SupportRank: p.SupportRank, SupportRankText: p.SupportRank,
		ShortenedRank: p.ShortenedRank, LegacyRankColour: p.LegacyRankColour, RankBadge: p.RankBadge,
		AccessRules: p.Rules.Profile(),
	}
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
