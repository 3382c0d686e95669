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
	p := &model.SaveQueryPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		q, err := m.accounts.SaveQuery(ctx, v.Account, in.Name, in.Query, in.Variables)
		if err == nil {
			p.SavedQuery = q
		}
		return err
	})
}

func (m mutationResolver) RenameSavedQuery(ctx context.Context, in model.RenameSavedQueryInput) (
	*model.RenameSavedQueryPayload, error,
) {
	p := &model.RenameSavedQueryPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		q, err := m.accounts.RenameQuery(ctx, v.Account, in.SavedAs, in.Name)
		if err == nil {
			p.SavedQuery = q
		}
		return err
	})
}

func (m mutationResolver) DeleteSavedQuery(ctx context.Context, in model.DeleteSavedQueryInput) (
	*model.DeleteSavedQueryPayload, error,
) {
	p := &model.DeleteSavedQueryPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		err := m.accounts.DeleteQuery(ctx, v.Account, in.SavedAs)
		if err == nil {
			p.DeletedName = &in.SavedAs
		}
		return err
	})
}
