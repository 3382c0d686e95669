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
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.RegisterApplicationPayload) error {
		app, secret, err := m.accounts.Applications.Register(ctx, v.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
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
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.EditApplicationPayload) (err error) {
		id := keyOf("Application", in.ID)
		p.Application, err = m.accounts.Applications.Edit(ctx, v.Account, id, in.Name, in.RedirectUris, in.Scopes)
		return err
	})
}

func (m mutationResolver) RotateSecret(ctx context.Context, in model.RotateSecretInput) (
	*model.RotateSecretPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.RotateSecretPayload) error {
		app, secret, err := m.accounts.Applications.RotateSecret(ctx, v.Account, keyOf("Application", in.ID))
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
		return m.accounts.Applications.DeleteOwn(ctx, v.Account, keyOf("Application", in.ID))
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
		return m.accounts.Grants.Revoke(ctx, v.Account, app)
	})
}
