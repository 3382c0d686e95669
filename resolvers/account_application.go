package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
)

func (m mutationResolver) RegisterApplication(ctx context.Context, in model.RegisterApplicationInput) (
	*model.RegisterApplicationPayload, error,
) {
	p := &model.RegisterApplicationPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		app, secret, err := m.accounts.RegisterApplication(ctx, v.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
		if err != nil {
			return err
		}
		p.Application = app
		if secret != "" {
			p.Secret = &secret
		}
		return nil
	})
}

func (m mutationResolver) EditApplication(ctx context.Context, in model.EditApplicationInput) (
	*model.EditApplicationPayload, error,
) {
	p := &model.EditApplicationPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		id := keyOf("Application", in.ID)
		app, err := m.accounts.EditApplication(ctx, v.Account, id, in.Name, in.RedirectUris, in.Scopes)
		if err == nil {
			p.Application = app
		}
		return err
	})
}

func (m mutationResolver) RotateSecret(ctx context.Context, in model.RotateSecretInput) (
	*model.RotateSecretPayload, error,
) {
	p := &model.RotateSecretPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		app, secret, err := m.accounts.RotateSecret(ctx, v.Account, keyOf("Application", in.ID))
		if err == nil {
			p.Application, p.Secret = app, &secret
		}
		return err
	})
}

func (m mutationResolver) DeleteApplication(ctx context.Context, in model.DeleteApplicationInput) (
	*model.DeleteApplicationPayload, error,
) {
	p := &model.DeleteApplicationPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		err := m.accounts.DeleteOwnApplication(ctx, v.Account, keyOf("Application", in.ID))
		if err == nil {
			p.DeletedID = &in.ID
		}
		return err
	})
}

func (m mutationResolver) RevokeGrant(ctx context.Context, in model.RevokeGrantInput) (
	*model.RevokeGrantPayload, error,
) {
	p := &model.RevokeGrantPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		app, ok := auth.ApplicationOfGrant(keyOf("Grant", in.ID), v.Account)
		if !ok {
			return auth.ErrNoGrant
		}
		err := m.accounts.RevokeGrant(ctx, v.Account, app)
		if err == nil {
			p.DeletedID = &in.ID
		}
		return err
	})
}
