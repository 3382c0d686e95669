package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

func (r viewerResolver) RestrictionsFor(ctx context.Context, _ *model.Viewer, player string, onlooker model.Onlooker,
	clientID *string,
) ([]*model.Restriction, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	if !v.Owns(player) {
		return nil, graph.ErrNotFound
	}
	p, err := publicError(loaders.From(ctx).PlayerByUUID.Load(ctx, player)())
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, graph.ErrNotFound
	}
	to, err := r.relationOf(ctx, v, onlooker, clientID)
	if err != nil {
		return nil, err
	}
	return restrictedRules(p.Rules, to).Restrictions(model.EveryRule), nil
}

func (r viewerResolver) relationOf(ctx context.Context, v viewer.Viewer, onlooker model.Onlooker, clientID *string) (
	relation, error,
) {
	switch onlooker {
	case model.OnlookerFriend:
		return relation{friend: true}, nil
	case model.OnlookerGuildMember:
		return relation{guildMember: true}, nil
	case model.OnlookerApplication:
		grants, err := r.Accounts.Grants.Of(ctx, v.Account)
		if err != nil {
			return relation{}, storeError(err, graph.ErrInternal)
		}
		at := slices.IndexFunc(grants, func(g *model.Grant) bool {
			return clientID != nil && g.Application.ClientID == *clientID
		})
		if at < 0 {
			return relation{}, graph.ErrNotFound
		}
		return relation{owner: model.LiftedBy(grants[at].Scopes)}, nil
	}
	return relation{}, nil
}
