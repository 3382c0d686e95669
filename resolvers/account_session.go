package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (m mutationResolver) ChangePassword(ctx context.Context, in model.ChangePasswordInput) (
	*model.ChangePasswordPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.ChangePasswordPayload) error {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return err
		}
		if err := m.accounts.ChangePassword(ctx, v.Account, in.Password, in.NewPassword); err != nil {
			return err
		}
		p.Account = &account.Name
		return m.accounts.EndSession(ctx, v.Session) // ChangePassword deleted it in the store only
	})
}

func (m mutationResolver) EndSession(ctx context.Context, in model.EndSessionInput) (*model.EndSessionPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.EndSessionPayload) error {
		p.DeletedID = &in.ID
		return m.accounts.EndSessionByKey(ctx, v.Account, keyOf("Session", in.ID))
	})
}

func (m mutationResolver) EndOtherSessions(ctx context.Context) (*model.EndOtherSessionsPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.EndOtherSessionsPayload) error {
		ended, err := m.accounts.EndOtherSessions(ctx, v.Account, v.Session)
		p.DeletedIds = each(ended, (*model.Session).ID)
		return err
	})
}

func (m mutationResolver) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.SignOutPayload) error {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return err
		}
		p.Account = &account.Name
		return m.accounts.EndSession(ctx, v.Session)
	})
}

func (m mutationResolver) DeleteAccount(ctx context.Context, in model.DeleteAccountInput) (
	*model.DeleteAccountPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteAccountPayload) error {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return err
		}
		p.Account = &account.Name
		return m.accounts.DeleteAccount(ctx, v.Account, in.Password)
	})
}

func (r viewerResolver) Sessions(ctx context.Context, _ *model.Viewer) ([]*model.Session, error) {
	return withUsage(ctx, r.root, r.accounts.Sessions)
}

// Browser is null for a session that does not have it.
func (sessionResolver) Browser(_ context.Context, s *model.Session) (*string, error) {
	if s.Browser == "" {
		return nil, nil
	}
	return &s.Browser, nil
}

func (sessionResolver) Current(ctx context.Context, s *model.Session) (bool, error) {
	return viewer.From(ctx).Session == s.Digest, nil
}
