package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
)

// The mutations of a signed-in user. Each acts on the account of the session only, whatever ids its arguments have.

// inSession calls mutate for a viewer with a session. The errors of mutate are those of accounts. A mutation before it
// in the document may have ended the session or changed its players, so it is looked up again.
func inSession[P any](ctx context.Context, r *root, mutate func(viewer.Viewer) (*P, error)) (*P, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	resumed, failure := r.accounts.ResumeSession(ctx, v.Session)
	switch {
	case failure == graph.ErrInvalidToken:
		return nil, errSessionRequired
	case failure != nil:
		return nil, failure
	}
	payload, err := mutate(resumed)
	if err != nil {
		return nil, accountError(err)
	}
	return payload, nil
}

func (m mutationResolver) LinkPlayer(ctx context.Context, code string) (*model.LinkPlayerPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.LinkPlayerPayload, error) {
		player, err := m.accounts.LinkPlayer(ctx, v.Account, code)
		if err == nil {
			m.accounts.InvalidateSession(v.Session)
		}
		return &model.LinkPlayerPayload{UUID: player}, err
	})
}

func (m mutationResolver) UnlinkPlayer(ctx context.Context, uuid string) (*model.UnlinkPlayerPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.UnlinkPlayerPayload, error) {
		err := m.accounts.UnlinkPlayer(ctx, v.Account, uuid)
		if err == nil {
			m.accounts.InvalidateSession(v.Session)
		}
		return &model.UnlinkPlayerPayload{UUID: uuid}, err
	})
}

func (m mutationResolver) SetAccessRules(ctx context.Context, in model.SetAccessRulesInput) (
	*model.SetAccessRulesPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.SetAccessRulesPayload, error) {
		changes := make([]auth.RuleChange, len(in.Rules))
		for i, r := range in.Rules {
			changes[i] = auth.RuleChange{Rule: r.Rule, Value: model.Access(r.Value)}
		}
		rules, err := m.accounts.SetAccessRules(ctx, v.Account, in.Player, changes)
		if err != nil {
			return nil, err
		}
		return &model.SetAccessRulesPayload{UUID: in.Player, AccessRules: rules.Profile()}, nil
	})
}

func (m mutationResolver) CreateToken(ctx context.Context, in model.CreateTokenInput) (
	*model.CreateTokenPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.CreateTokenPayload, error) {
		value, t, err := m.accounts.CreateToken(ctx, v.Account, in.Name, in.Description, in.Public)
		return &model.CreateTokenPayload{Token: t, Value: value}, err
	})
}

func (m mutationResolver) EditToken(ctx context.Context, in model.EditTokenInput) (*model.EditTokenPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.EditTokenPayload, error) {
		t, err := m.accounts.EditToken(ctx, v.Account, in.ID, in.Description, in.Public)
		return &model.EditTokenPayload{Token: t}, err
	})
}

func (m mutationResolver) DeleteToken(ctx context.Context, id string) (*model.DeleteTokenPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.DeleteTokenPayload, error) {
		err := m.accounts.DeleteToken(ctx, v.Account, id, auth.TokenDeletionInterval)
		return &model.DeleteTokenPayload{ID: id}, err
	})
}

func (m mutationResolver) ChangePassword(ctx context.Context, in model.ChangePasswordInput) (
	*model.ChangePasswordPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.ChangePasswordPayload, error) {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return nil, err
		}
		if err = m.accounts.ChangePassword(ctx, v.Account, in.Present, in.Password); err == nil {
			err = m.accounts.EndSession(ctx, v.Session) // ChangePassword deleted it in the store only
		}
		return &model.ChangePasswordPayload{Account: account.Name}, err
	})
}

func (m mutationResolver) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer) (*model.SignOutPayload, error) {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return nil, err
		}
		return &model.SignOutPayload{Account: account.Name}, m.accounts.EndSession(ctx, v.Session)
	})
}
