package resolvers

import (
	"context"

	"gamedata/graph/model"
)

func (m mutationResolver) RegisterApplication(ctx context.Context,
	in model.RegisterApplicationInput,
) (*model.RegisterApplicationPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	app, secret, err := m.accounts.RegisterApplication(ctx, v.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
	if err != nil {
		return nil, accountError(err)
	}
	out := &model.RegisterApplicationPayload{Application: app}
	if secret != "" {
		out.Secret = &secret
	}
	return out, nil
}

func (m mutationResolver) EditApplication(
	ctx context.Context,
	in model.EditApplicationInput,
) (*model.EditApplicationPayload,
	error,
) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	app, err := m.accounts.EditApplication(ctx, v.Account, in.ClientID, in.Name, in.RedirectUris, in.Scopes)
	if err != nil {
		return nil, accountError(err)
	}
	return &model.EditApplicationPayload{Application: app}, nil
}

func (m mutationResolver) RotateSecret(ctx context.Context, clientID string) (*model.RotateSecretPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := m.accounts.RotateSecret(ctx, v.Account, clientID)
	if err != nil {
		return nil, accountError(err)
	}
	return &model.RotateSecretPayload{ClientID: clientID, Secret: secret}, nil
}

func (m mutationResolver) DeleteApplication(
	ctx context.Context,
	clientID string,
) (*model.DeleteApplicationPayload, error) {
	v, err := m.signedIn(ctx)
	if err == nil {
		err = accountError(m.accounts.DeleteOwnApplication(ctx, v.Account, clientID))
	}
	if err != nil {
		return nil, err
	}
	return &model.DeleteApplicationPayload{ClientID: clientID}, nil
}

func (m mutationResolver) WithdrawGrant(ctx context.Context, clientID string) (*model.WithdrawGrantPayload, error) {
	v, err := m.signedIn(ctx)
	if err == nil {
		err = accountError(m.accounts.RevokeGrant(ctx, v.Account, clientID))
	}
	if err != nil {
		return nil, err
	}
	return &model.WithdrawGrantPayload{ClientID: clientID}, nil
}
