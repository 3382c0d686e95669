package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (m mutationResolver) ChangePassword(ctx context.Context, in model.ChangePasswordInput) (
	*model.ChangePasswordPayload, error,
) {
	p := &model.ChangePasswordPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
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
	p := &model.EndSessionPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		err := m.accounts.EndSessionByKey(ctx, v.Account, keyOf("Session", in.ID))
		if err == nil {
			p.DeletedID = &in.ID
		}
		return err
	})
}

func (m mutationResolver) EndOtherSessions(ctx context.Context) (*model.EndOtherSessionsPayload, error) {
	p := &model.EndOtherSessionsPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		ended, err := m.accounts.EndOtherSessions(ctx, v.Account, v.Session)
		p.DeletedIds = each(ended, (*model.Session).ID)
		return err
	})
}

func (m mutationResolver) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	p := &model.SignOutPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
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
	p := &model.DeleteAccountPayload{}
	return inSession(ctx, m.root, p, &p.UserErrors, func(v viewer.Viewer) error {
		account, err := m.accounts.AccountByID(ctx, v.Account)
		if err != nil {
			return err
		}
		if err := m.accounts.DeleteAccount(ctx, v.Account, in.Password); err != nil {
			return err
		}
		p.Account = &account.Name
		return nil
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
