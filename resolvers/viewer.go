package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

func (queryResolver) Viewer(ctx context.Context) (*model.Viewer, error) {
	v := viewer.From(ctx)
	kind := model.ViewerKind(strings.ToUpper(string(v.Kind)))
	return &model.Viewer{Kind: kind, Scopes: append([]string{}, v.Scopes...)}, nil
}

// Account is shown to sessions and tokens of the account; no scope shows it to an application.
func (viewerResolver) Account(ctx context.Context, _ *model.Viewer) (*string, error) {
	v := viewer.From(ctx)
	if v.Public || !v.Is(viewer.Session) && !v.Is(viewer.Token) {
		return nil, nil
	}
	a, err := accountOf(ctx, v)
	if a == nil {
		return nil, err
	}
	return &a.Name, nil
}

func (viewerResolver) Profiles(ctx context.Context, _ *model.Viewer) ([]*model.Player, error) {
	found, err := linkedPlayers(ctx)
	if err != nil {
		return nil, err
	}
	return visiblePlayers(ctx, found)
}

func (viewerResolver) Token(ctx context.Context, _ *model.Viewer) (*model.ViewerToken, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.Token) {
		return nil, nil
	}
	a, err := accountOf(ctx, v)
	if a == nil {
		return nil, err
	}
	for _, t := range a.Tokens {
		if t.Key == v.Token {
			return &model.ViewerToken{
				Name: t.Name, Prefix: t.Prefix, Public: t.Public, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
			}, nil
		}
	}
	return nil, nil
}

func (viewerResolver) Application(ctx context.Context, _ *model.Viewer) (*model.Application, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.OAuth) {
		return nil, nil
	}
	return publicError(loaders.From(ctx).ApplicationByID.Load(ctx, v.App)())
}

// accountOf returns the account of the viewer; nil if it was deleted after the credential was checked.
func accountOf(ctx context.Context, v viewer.Viewer) (*model.Account, error) {
	return publicError(loaders.From(ctx).AccountByID.Load(ctx, v.Account)())
}

// Tokens, Applications and Grants are for sessions only: a token must not reveal other tokens.
func (r viewerResolver) Tokens(ctx context.Context, _ *model.Viewer) ([]*model.APIToken, error) {
	return withUsage(ctx, r.root, func(ctx context.Context, account string) ([]*model.APIToken, error) {
		a, err := loaders.From(ctx).AccountByID.Load(ctx, account)()
		if a == nil {
			return nil, err
		}
		return a.Tokens, nil
	})
}

// withUsage is ofAccount for records with usage. It first writes pending usage to the store, to read current numbers.
func withUsage[T any](ctx context.Context, r *root, read func(context.Context, string) ([]T, error)) ([]T, error) {
	return ofAccount(ctx, r, func(ctx context.Context, account string) ([]T, error) {
		// If the store accepts no writes, the uses of the last seconds are missing here and written later.
		_ = r.Accounts.Usage.Flush(ctx)
		return read(ctx, account)
	})
}

// ofAccount reads records of a session's account; nil without a session.
func ofAccount[T any](ctx context.Context, r *root, read func(context.Context, string) ([]T, error)) ([]T, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	list, err := publicError(read(ctx, v.Account))
	return orEmpty(list), err
}

func (r viewerResolver) Applications(ctx context.Context, _ *model.Viewer) ([]*model.Application, error) {
	return withUsage(ctx, r.root, r.Accounts.Applications.Of)
}

func (r viewerResolver) Grants(ctx context.Context, _ *model.Viewer) ([]*model.Grant, error) {
	return withUsage(ctx, r.root, r.Accounts.Grants.Of)
}

// OauthMe returns the data that every grant gives an application, or nil for other viewers. Access rules do not apply:
// the user agreed to share this data.
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

// LinkedProfiles returns the players of the account, with the access rules that only their owner may see.
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
		UUID: p.UUID, Username: p.Username, Primary: primary, Rank: p,
		SupportRank: p.SupportRank,
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
