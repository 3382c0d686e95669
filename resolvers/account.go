package resolvers

import (
	"context"
	"errors"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/loaders"
	"gamedata/mongo"
)

// session runs the mutations of a signed-in user. Each acts only on the account of the session, whatever ids its
// arguments contain. The resolvers of mutations call the methods of session.
type session struct {
	*root
	viewer.Viewer
}

// payload is the result of a mutation, a pointer to a P.
type payload[P any] interface {
	*P
	SetUserErrors(list []*model.UserError)
}

// inSession runs a mutation for a viewer with a session. Errors that the user can correct become userErrors of an empty
// payload. An earlier mutation in the document may have ended the session or changed its players, so the session is
// looked up again. Store calls are not limited: a mutation must not end halfway.
func inSession[P any, T payload[P]](ctx context.Context, r *root, mutate func(session) (T, error)) (T, error) {
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
	p, err := mutate(session{r, resumed})
	faults := userErrorsOf(err)
	switch {
	case len(faults) > 0:
		p = new(P)
	case errors.Is(err, auth.ErrNoAccount): // it was deleted after the session was checked
		return nil, errSessionRequired
	case err != nil:
		return nil, storeError(err, graph.ErrInternal)
	}
	p.SetUserErrors(orEmpty(faults))
	return p, nil
}

// keyOf returns the key in a global id of the given type. Any other id gives "", which no object has as its key.
func keyOf(typ, id string) string {
	if t, key, ok := model.ParseGlobalID(id); ok && t == typ {
		return key
	}
	return ""
}

func (s session) LinkPlayer(ctx context.Context, in model.LinkPlayerInput) (*model.LinkPlayerPayload, error) {
	player, err := s.Accounts.Players.Link(ctx, s.Account, in.Code)
	if err != nil {
		return nil, err
	}
	s.Accounts.Sessions.Invalidate(s.Session)
	profile, err := s.linkedProfile(ctx, player)
	return &model.LinkPlayerPayload{Profile: profile}, err
}

func (s session) UnlinkPlayer(ctx context.Context, in model.UnlinkPlayerInput) (*model.UnlinkPlayerPayload, error) {
	err := s.Accounts.Players.Unlink(ctx, s.Account, in.Player)
	if err == nil {
		s.Accounts.Sessions.Invalidate(s.Session)
	}
	return &model.UnlinkPlayerPayload{PlayerUUID: &in.Player}, err
}

func (s session) UpdateAccessRules(ctx context.Context, in model.UpdateAccessRulesInput) (
	*model.UpdateAccessRulesPayload, error,
) {
	changes := each(in.Rules, func(r *model.AccessRuleInput) auth.RuleChange {
		return auth.RuleChange{Rule: r.Rule, Value: model.Access(r.Value)}
	})
	if err := s.Accounts.Players.SetAccessRules(ctx, s.Account, in.Player, changes); err != nil {
		return nil, err
	}
	profile, err := s.linkedProfile(ctx, in.Player)
	return &model.UpdateAccessRulesPayload{Profile: profile}, err
}

// linkedProfile returns a player linked to the account, or nil if the store does not know the player.
func (s session) linkedProfile(ctx context.Context, player string) (*model.LinkedProfile, error) {
	p, primary, err := s.Accounts.Players.LinkedTo(ctx, s.Account, player)
	if p == nil || err != nil {
		return nil, err
	}
	return newLinkedProfile(p, primary), nil
}

func (s session) CreateToken(ctx context.Context, in model.CreateTokenInput) (*model.CreateTokenPayload, error) {
	value, token, err := s.Accounts.Tokens.Create(ctx, s.Account, in.Name, in.Description, in.Public, in.ExpiresAt)
	return &model.CreateTokenPayload{Token: token, Value: &value}, err
}

func (s session) UpdateToken(ctx context.Context, in model.UpdateTokenInput) (*model.UpdateTokenPayload, error) {
	token, err := s.Accounts.Tokens.Edit(ctx, s.Account, keyOf("ApiToken", in.ID), in.Description, in.Public)
	return &model.UpdateTokenPayload{Token: token}, err
}

func (s session) DeleteToken(ctx context.Context, in model.DeleteTokenInput) (*model.DeleteTokenPayload, error) {
	err := s.Accounts.Tokens.Delete(ctx, s.Account, keyOf("ApiToken", in.ID), auth.TokenDeletionInterval)
	return &model.DeleteTokenPayload{DeletedID: &in.ID}, err
}

func (s session) UpdatePassword(ctx context.Context, in model.UpdatePasswordInput) (
	*model.UpdatePasswordPayload, error,
) {
	account, err := s.Accounts.ByID(ctx, s.Account)
	if err != nil {
		return nil, err
	}
	if err := s.Accounts.ChangePassword(ctx, s.Account, in.Password, in.NewPassword); err != nil {
		return nil, err
	}
	p := &model.UpdatePasswordPayload{Account: &account.Name}
	return p, s.Accounts.Sessions.End(ctx, s.Session) // ChangePassword deleted it in the store only
}

func (s session) DeleteSession(ctx context.Context, in model.DeleteSessionInput) (*model.DeleteSessionPayload, error) {
	err := s.Accounts.Sessions.EndByKey(ctx, s.Account, keyOf("Session", in.ID))
	return &model.DeleteSessionPayload{DeletedID: &in.ID}, err
}

func (s session) DeleteOtherSessions(ctx context.Context) (*model.DeleteOtherSessionsPayload, error) {
	ended, err := s.Accounts.Sessions.EndOthers(ctx, s.Account, s.Session)
	return &model.DeleteOtherSessionsPayload{DeletedIds: each(ended, (*model.Session).ID)}, err
}

func (s session) SignOut(ctx context.Context) (*model.SignOutPayload, error) {
	account, err := s.Accounts.ByID(ctx, s.Account)
	if err != nil {
		return nil, err
	}
	return &model.SignOutPayload{Account: &account.Name}, s.Accounts.Sessions.End(ctx, s.Session)
}

func (s session) DeleteAccount(ctx context.Context, in model.DeleteAccountInput) (*model.DeleteAccountPayload, error) {
	account, err := s.Accounts.ByID(ctx, s.Account)
	if err != nil {
		return nil, err
	}
	return &model.DeleteAccountPayload{Account: &account.Name}, s.Accounts.Delete(ctx, s.Account, in.Password)
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

func (s session) CreateApplication(ctx context.Context, in model.CreateApplicationInput) (
	*model.CreateApplicationPayload, error,
) {
	app, secret, err := s.Accounts.Applications.Register(ctx, s.Account, in.Name, in.RedirectUris, in.Scopes, in.Private)
	p := &model.CreateApplicationPayload{Application: app}
	if secret != "" {
		p.Secret = &secret
	}
	return p, err
}

func (s session) UpdateApplication(ctx context.Context, in model.UpdateApplicationInput) (
	*model.UpdateApplicationPayload, error,
) {
	id := keyOf("Application", in.ID)
	app, err := s.Accounts.Applications.Edit(ctx, s.Account, id, in.Name, in.RedirectUris, in.Scopes)
	return &model.UpdateApplicationPayload{Application: app}, err
}

func (s session) RotateSecret(ctx context.Context, in model.RotateSecretInput) (*model.RotateSecretPayload, error) {
	app, secret, err := s.Accounts.Applications.RotateSecret(ctx, s.Account, keyOf("Application", in.ID))
	return &model.RotateSecretPayload{Application: app, Secret: &secret}, err
}

func (s session) DeleteApplication(ctx context.Context, in model.DeleteApplicationInput) (
	*model.DeleteApplicationPayload, error,
) {
	err := s.Accounts.Applications.DeleteOwn(ctx, s.Account, keyOf("Application", in.ID))
	return &model.DeleteApplicationPayload{DeletedID: &in.ID}, err
}

func (s session) RevokeGrant(ctx context.Context, in model.RevokeGrantInput) (*model.RevokeGrantPayload, error) {
	app, ok := auth.ApplicationOfGrant(keyOf("Grant", in.ID), s.Account)
	if !ok {
		return nil, auth.ErrNoGrant
	}
	return &model.RevokeGrantPayload{DeletedID: &in.ID}, s.Accounts.Grants.Revoke(ctx, s.Account, app)
}

func (r viewerResolver) Webhooks(ctx context.Context, _ *model.Viewer) ([]*model.Webhook, error) {
	return ofAccount(ctx, r.root, r.Accounts.Webhooks.Of)
}

func (s session) CreateWebhook(ctx context.Context, in model.CreateWebhookInput) (*model.CreateWebhookPayload, error) {
	hook, err := s.Accounts.Webhooks.Create(ctx, s.Account, in)
	if err != nil {
		return nil, err
	}
	return &model.CreateWebhookPayload{Webhook: hook, Secret: new(s.Accounts.Webhooks.Secret(hook))}, nil
}

func (s session) UpdateWebhook(ctx context.Context, in model.UpdateWebhookInput) (*model.UpdateWebhookPayload, error) {
	hook, err := s.Accounts.Webhooks.Update(ctx, s.Account, keyOf("Webhook", in.ID), in)
	return &model.UpdateWebhookPayload{Webhook: hook}, err
}

func (s session) DeleteWebhook(ctx context.Context, in model.DeleteWebhookInput) (*model.DeleteWebhookPayload, error) {
	err := s.Accounts.Webhooks.Delete(ctx, s.Account, keyOf("Webhook", in.ID))
	return &model.DeleteWebhookPayload{DeletedID: &in.ID}, err
}

func (s session) SendTestEvent(ctx context.Context, in model.SendTestEventInput) (*model.SendTestEventPayload, error) {
	hook, err := s.Accounts.Webhooks.Own(ctx, s.Account, keyOf("Webhook", in.ID))
	if err != nil {
		return nil, err
	}
	return &model.SendTestEventPayload{Delivery: s.TestWebhook(ctx, hook)}, nil
}
