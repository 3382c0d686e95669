package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/mongo"
)

// The mutations of a signed-in user. Each acts only on the account of the session, whatever ids its arguments contain.

// payload is the result of a mutation, a pointer to a P.
type payload[P any] interface {
	*P
	SetUserErrors(list []*model.UserError)
}

// inSession calls mutate, which fills a payload, for a viewer with a session. Errors that the user can correct become
// userErrors of an empty payload. An earlier mutation in the document may have ended the session or changed its
// players, so the session is looked up again. Store calls are not limited: a mutation must not end halfway.
func inSession[P any, T payload[P]](ctx context.Context, r *root, mutate func(viewer.Viewer, T) error) (T, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	mongo.LiftCallLimit(ctx)
	resumed, failure := r.Accounts.Credentials.Resume(ctx, v.Session)
	switch {
	case failure == graph.ErrInvalidToken:
		return nil, errSessionRequired
	case failure != nil:
		return nil, failure
	}
	p, faults := T(new(P)), []*model.UserError{}
	if err := mutate(resumed, p); err != nil {
		faults = userErrorsOf(err)
		if len(faults) == 0 {
			return nil, accountError(err)
		}
		p = new(P)
	}
	p.SetUserErrors(faults)
	return p, nil
}

// keyOf returns the key in a global id of the given type. Any other id gives "", which no object has as its key.
func keyOf(typ, id string) string {
	if t, key, ok := model.ParseGlobalID(id); ok && t == typ {
		return key
	}
	return ""
}

func (m mutationResolver) LinkPlayer(ctx context.Context, in model.LinkPlayerInput) (*model.LinkPlayerPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.LinkPlayerPayload) error {
		player, err := m.Accounts.Players.Link(ctx, v.Account, in.Code)
		if err != nil {
			return err
		}
		m.Accounts.Sessions.Invalidate(v.Session)
		p.Profile, err = m.linkedProfile(ctx, v.Account, player)
		return err
	})
}

func (m mutationResolver) UnlinkPlayer(ctx context.Context, in model.UnlinkPlayerInput) (
	*model.UnlinkPlayerPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UnlinkPlayerPayload) error {
		if err := m.Accounts.Players.Unlink(ctx, v.Account, in.Player); err != nil {
			return err
		}
		m.Accounts.Sessions.Invalidate(v.Session)
		p.PlayerUUID = &in.Player
		return nil
	})
}

func (m mutationResolver) UpdateAccessRules(ctx context.Context, in model.UpdateAccessRulesInput) (
	*model.UpdateAccessRulesPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdateAccessRulesPayload) error {
		changes := make([]auth.RuleChange, len(in.Rules))
		for i, r := range in.Rules {
			changes[i] = auth.RuleChange{Rule: r.Rule, Value: model.Access(r.Value)}
		}
		err := m.Accounts.Players.SetAccessRules(ctx, v.Account, in.Player, changes)
		if err != nil {
			return err
		}
		p.Profile, err = m.linkedProfile(ctx, v.Account, in.Player)
		return err
	})
}

// linkedProfile returns a player linked to an account, or nil if the store does not know the player.
func (m mutationResolver) linkedProfile(ctx context.Context, account, player string) (*model.LinkedProfile, error) {
	p, primary, err := m.Accounts.Players.LinkedTo(ctx, account, player)
	if p == nil || err != nil {
		return nil, err
	}
	return newLinkedProfile(p, primary), nil
}

func (m mutationResolver) CreateToken(ctx context.Context, in model.CreateTokenInput) (
	*model.CreateTokenPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.CreateTokenPayload) error {
		value, token, err := m.Accounts.Tokens.Create(ctx, v.Account, in.Name, in.Description, in.Public, in.ExpiresAt)
		p.Token, p.Value = token, &value
		return err
	})
}

func (m mutationResolver) UpdateToken(ctx context.Context, in model.UpdateTokenInput) (
	*model.UpdateTokenPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdateTokenPayload) (err error) {
		p.Token, err = m.Accounts.Tokens.Edit(ctx, v.Account, keyOf("ApiToken", in.ID), in.Description, in.Public)
		return err
	})
}

func (m mutationResolver) DeleteToken(ctx context.Context, in model.DeleteTokenInput) (
	*model.DeleteTokenPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteTokenPayload) error {
		p.DeletedID = &in.ID
		return m.Accounts.Tokens.Delete(ctx, v.Account, keyOf("ApiToken", in.ID), auth.TokenDeletionInterval)
	})
}
