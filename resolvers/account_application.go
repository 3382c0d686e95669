package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (m mutationResolver) RegisterApplication(ctx context.Context, in model.RegisterApplicationInput) (
	*model.RegisterApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.RegisterApplicationPayload, error) {
		app, secret, err := m.accounts.RegisterApplication(ctx, v.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
		out := &model.RegisterApplicationPayload{Application: app}
		if secret != "" {
			out.Secret = &secret
		}
		return out, err
	})
}

func (m mutationResolver) EditApplication(ctx context.Context, in model.EditApplicationInput) (
	*model.EditApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.EditApplicationPayload, error) {
		app, err := m.accounts.EditApplication(ctx, v.Account, in.ClientID, in.Name, in.RedirectUris, in.Scopes)
		return &model.EditApplicationPayload{Application: app}, err
	})
}

func (m mutationResolver) RotateSecret(ctx context.Context, clientID string) (*model.RotateSecretPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.RotateSecretPayload, error) {
		secret, err := m.accounts.RotateSecret(ctx, v.Account, clientID)
		return &model.RotateSecretPayload{ClientID: clientID, Secret: secret}, err
	})
}

func (m mutationResolver) DeleteApplication(ctx context.Context, clientID string) (
	*model.DeleteApplicationPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.DeleteApplicationPayload, error) {
		err := m.accounts.DeleteOwnApplication(ctx, v.Account, clientID)
		return &model.DeleteApplicationPayload{ClientID: clientID}, err
	})
}

func (m mutationResolver) WithdrawGrant(ctx context.Context, clientID string) (*model.WithdrawGrantPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.WithdrawGrantPayload, error) {
		return &model.WithdrawGrantPayload{ClientID: clientID}, m.accounts.RevokeGrant(ctx, v.Account, clientID)
	})
}
