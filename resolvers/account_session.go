package resolvers

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
)

func (m mutationResolver) UpdatePassword(ctx context.Context, in model.UpdatePasswordInput) (
	*model.UpdatePasswordPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdatePasswordPayload) error {
		account, err := m.Accounts.ByID(ctx, v.Account)
		if err != nil {
			return err
		}
		if err := m.Accounts.ChangePassword(ctx, v.Account, in.Password, in.NewPassword); err != nil {
			return err
		}
		p.Account = &account.Name
		return m.Accounts.Sessions.End(ctx, v.Session) // ChangePassword deleted it in the store only
	})
}

func (m mutationResolver) DeleteSession(ctx context.Context, in model.DeleteSessionInput) (
	*model.DeleteSessionPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteSessionPayload) error {
		p.DeletedID = &in.ID
		return m.Accounts.Sessions.EndByKey(ctx, v.Account, keyOf("Session", in.ID))
	})
}

func (m mutationResolver) DeleteOtherSessions(ctx context.Context) (*model.DeleteOtherSessionsPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteOtherSessionsPayload) error {
		ended, err := m.Accounts.Sessions.EndOthers(ctx, v.Account, v.Session)
		p.DeletedIds = each(ended, (*model.Session).ID)
		return err
	})
}

func (m mutationResolver) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.SignOutPayload) error {
		account, err := m.Accounts.ByID(ctx, v.Account)
		if err != nil {
			return err
		}
		p.Account = &account.Name
		return m.Accounts.Sessions.End(ctx, v.Session)
	})
}

func (m mutationResolver) DeleteAccount(ctx context.Context, in model.DeleteAccountInput) (
	*model.DeleteAccountPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteAccountPayload) error {
		account, err := m.Accounts.ByID(ctx, v.Account)
		if err != nil {
			return err
		}
		p.Account = &account.Name
		return m.Accounts.Delete(ctx, v.Account, in.Password)
	})
}

func (r viewerResolver) Sessions(ctx context.Context, _ *model.Viewer) ([]*model.Session, error) {
	return withUsage(ctx, r.root, r.Accounts.Sessions.List)
}

func (sessionResolver) Browser(_ context.Context, s *model.Session) (*string, error) {
	if s.Browser == "" {
		return nil, nil
	}
	return &s.Browser, nil
}

func (sessionResolver) Current(ctx context.Context, s *model.Session) (bool, error) {
	return viewer.From(ctx).Session == s.Digest, nil
}

func (r apiTokenResolver) Expired(_ context.Context, t *model.APIToken) (bool, error) {
	return r.Accounts.Tokens.Expired(t), nil
}

func (apiTokenResolver) LastUsedAt(ctx context.Context, t *model.APIToken) (*time.Time, error) {
	return lastUsed(ctx, t.Key)
}

func (apiTokenResolver) Usage(ctx context.Context, t *model.APIToken) ([]*model.BucketUsage, error) {
	return usage(ctx, t.Key)
}

func (applicationResolver) LastUsedAt(ctx context.Context, a *model.Application) (*time.Time, error) {
	return lastUsed(ctx, a.ClientID)
}

func (applicationResolver) Usage(ctx context.Context, a *model.Application) ([]*model.BucketUsage, error) {
	return usage(ctx, a.ClientID)
}

func (grantResolver) LastUsedAt(ctx context.Context, g *model.Grant) (*time.Time, error) {
	return lastUsed(ctx, g.Key)
}

func (sessionResolver) LastUsedAt(ctx context.Context, s *model.Session) (*time.Time, error) {
	return lastUsed(ctx, s.Digest)
}

func usageOf(ctx context.Context, id string) (*model.Usage, error) {
	return publicError(loaders.From(ctx).UsageOf.Load(ctx, id)())
}

func lastUsed(ctx context.Context, id string) (*time.Time, error) {
	u, err := usageOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return u.LastUsedAt, nil
}

func usage(ctx context.Context, id string) ([]*model.BucketUsage, error) {
	u, err := usageOf(ctx, id)
	if err != nil {
		return nil, err
	}
	out := []*model.BucketUsage{}
	for _, b := range model.AllBucket {
		if n := u.Charged[string(b)]; n > 0 {
			out = append(out, &model.BucketUsage{Bucket: b, Charged: n})
		}
	}
	return out, nil
}
