package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/auth"
)

// The mutations of a signed-in user. Each acts on the account of the session only, whatever ids its
// arguments have.

func (m mutationResolver) LinkPlayer(ctx context.Context, code string) (*model.LinkPlayerPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	player, err := m.accounts.LinkPlayer(ctx, v.Account, code)
	if err != nil {
		return nil, accountError(err)
	}
	m.accounts.InvalidateSession(v.Session)
	return &model.LinkPlayerPayload{UUID: player}, nil
}

func (m mutationResolver) UnlinkPlayer(ctx context.Context, uuid string) (*model.UnlinkPlayerPayload, error) {
	v, err := m.signedIn(ctx)
	if err == nil {
		err = accountError(m.accounts.UnlinkPlayer(ctx, v.Account, uuid))
	}
	if err != nil {
		return nil, err
	}
	m.accounts.InvalidateSession(v.Session)
	return &model.UnlinkPlayerPayload{UUID: uuid}, nil
}

func (m mutationResolver) CreateToken(
	ctx context.Context,
	in model.CreateTokenInput,
) (*model.CreateTokenPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	value, t, err := m.accounts.CreateToken(ctx, v.Account, in.Name, in.Description, in.Public)
	if err != nil {
		return nil, accountError(err)
	}
	return &model.CreateTokenPayload{Token: t, Value: value}, nil
}

func (m mutationResolver) EditToken(ctx context.Context, in model.EditTokenInput) (*model.EditTokenPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	t, err := m.accounts.EditToken(ctx, v.Account, in.ID, in.Description, in.Public)
	if err != nil {
		return nil, accountError(err)
	}
	return &model.EditTokenPayload{Token: t}, nil
}

func (m mutationResolver) DeleteToken(ctx context.Context, id string) (*model.DeleteTokenPayload, error) {
	v, err := m.signedIn(ctx)
	if err == nil {
		err = accountError(m.accounts.DeleteToken(ctx, v.Account, id, auth.TokenDeletionInterval))
	}
	if err != nil {
		return nil, err
	}
	return &model.DeleteTokenPayload{ID: id}, nil
}

func (m mutationResolver) ChangePassword(
	ctx context.Context,
	in model.ChangePasswordInput,
) (*model.ChangePasswordPayload,
	error,
) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	of, err := m.accounts.AccountByID(ctx, v.Account)
	if err == nil {
		err = m.accounts.ChangePassword(ctx, v.Account, in.Present, in.Password)
	}
	if err == nil { // ChangePassword deleted it in the store only
		err = m.accounts.EndSession(ctx, v.Session)
	}
	if err != nil {
		return nil, accountError(err)
	}
	return &model.ChangePasswordPayload{Account: of.Name}, nil
}

func (m mutationResolver) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	v, err := m.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	of, err := m.accounts.AccountByID(ctx, v.Account)
	if err == nil {
		err = m.accounts.EndSession(ctx, v.Session)
	}
	if err != nil {
		return nil, accountError(err)
	}
	return &model.SignOutPayload{Account: of.Name}, nil
}
