package resolvers

import (
	"context"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

func (queryResolver) Viewer(ctx context.Context) (*model.Viewer, error) {
	v := viewer.From(ctx)
	return &model.Viewer{Kind: model.ViewerKind(strings.ToUpper(string(v.Kind))), Scopes: append([]string{}, v.Scopes...)},
		nil
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
	relations, err := loadRelations(ctx, found...)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Player, len(found))
	for i, p := range found {
		out[i] = redactPlayer(p, relations.with(p))
	}
	return out, nil
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
		if t.ID == v.Token {
			return &model.ViewerToken{Name: t.Name, Prefix: t.Prefix, Public: t.Public, Created: t.Created}, nil
		}
	}
	return nil, nil
}

func (viewerResolver) Application(ctx context.Context, _ *model.Viewer) (*model.Application, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.OAuth) {
		return nil, nil
	}
	a, err := loaders.From(ctx).ApplicationByID.Load(ctx, v.App)()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if a == nil {
		return nil, nil
	}
	return a, nil
}

// accountOf returns the account of the viewer; nil if it was deleted after the credential was checked.
func accountOf(ctx context.Context, v viewer.Viewer) (*model.Account, error) {
	a, err := loaders.From(ctx).AccountByID.Load(ctx, v.Account)()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return a, nil
}

// Tokens, Applications and Grants are for sessions only: no token shows another. Pending usage is written
// to the store first, so that it is current.
func (r viewerResolver) Tokens(ctx context.Context, _ *model.Viewer) ([]*model.APIToken, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	if err := r.accounts.FlushUsage(ctx); err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	a, err := accountOf(ctx, v)
	if a == nil {
		return nil, err
	}
	return append([]*model.APIToken{}, a.Tokens...), nil
}

func (r viewerResolver) Applications(ctx context.Context, _ *model.Viewer) ([]*model.Application, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	if err = r.accounts.FlushUsage(ctx); err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	list, err := r.accounts.Applications(ctx, v.Account)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return append([]*model.Application{}, list...), nil
}

func (r viewerResolver) Grants(ctx context.Context, _ *model.Viewer) ([]*model.Grant, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	if err = r.accounts.FlushUsage(ctx); err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	list, err := r.accounts.Grants(ctx, v.Account)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return append([]*model.Grant{}, list...), nil
}
