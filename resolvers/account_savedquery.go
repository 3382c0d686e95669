package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (r viewerResolver) SavedQueries(ctx context.Context, _ *model.Viewer) ([]*model.SavedQuery, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	queries, err := stored(r.accounts.SavedQueries(ctx, v.Account))
	return orEmpty(queries), err
}

func (m mutationResolver) SaveQuery(ctx context.Context, in model.SaveQueryInput) (*model.SaveQueryPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.SaveQueryPayload) (err error) {
		p.SavedQuery, err = m.accounts.SaveQuery(ctx, v.Account, in.Name, in.Query, in.Variables)
		return err
	})
}

func (m mutationResolver) RenameSavedQuery(ctx context.Context, in model.RenameSavedQueryInput) (
	*model.RenameSavedQueryPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.RenameSavedQueryPayload) (err error) {
		p.SavedQuery, err = m.accounts.RenameQuery(ctx, v.Account, in.SavedAs, in.Name)
		return err
	})
}

func (m mutationResolver) DeleteSavedQuery(ctx context.Context, in model.DeleteSavedQueryInput) (
	*model.DeleteSavedQueryPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteSavedQueryPayload) error {
		p.DeletedName = &in.SavedAs
		return m.accounts.DeleteQuery(ctx, v.Account, in.SavedAs)
	})
}
