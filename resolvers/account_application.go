package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
)

func (m mutationResolver) CreateApplication(ctx context.Context, in model.CreateApplicationInput) (
	*model.CreateApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.CreateApplicationPayload) error {
		app, secret, err := m.Accounts.Applications.Register(ctx, v.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
		p.Application = app
		if secret != "" {
			p.Secret = &secret
		}
		return err
	})
}

func (m mutationResolver) UpdateApplication(ctx context.Context, in model.UpdateApplicationInput) (
	*model.UpdateApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdateApplicationPayload) (err error) {
		id := keyOf("Application", in.ID)
		p.Application, err = m.Accounts.Applications.Edit(ctx, v.Account, id, in.Name, in.RedirectUris, in.Scopes)
		return err
	})
}

func (m mutationResolver) RotateSecret(ctx context.Context, in model.RotateSecretInput) (
	*model.RotateSecretPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.RotateSecretPayload) error {
		app, secret, err := m.Accounts.Applications.RotateSecret(ctx, v.Account, keyOf("Application", in.ID))
		if err == nil {
			p.Application, p.Secret = app, &secret
		}
		return err
	})
}

func (m mutationResolver) DeleteApplication(ctx context.Context, in model.DeleteApplicationInput) (
	*model.DeleteApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteApplicationPayload) error {
		p.DeletedID = &in.ID
		return m.Accounts.Applications.DeleteOwn(ctx, v.Account, keyOf("Application", in.ID))
	})
}

func (m mutationResolver) RevokeGrant(ctx context.Context, in model.RevokeGrantInput) (
	*model.RevokeGrantPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.RevokeGrantPayload) error {
		app, ok := auth.ApplicationOfGrant(keyOf("Grant", in.ID), v.Account)
		if !ok {
			return auth.ErrNoGrant
		}
		p.DeletedID = &in.ID
		return m.Accounts.Grants.Revoke(ctx, v.Account, app)
	})
}
