package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// How long what a user agreed to lasts (WIRE §5.2, §5.3).
const (
	CodeLifetime        = 5 * time.Minute
	AccessTokenLifetime = 30 * 24 * time.Hour
)

// grace is how long after the first use of a code another is taken for a repetition by the
// network; after that it shows that the code was stolen, and ends the token of the first.
const grace = 10 * time.Second

// Grant is what a user agreed to: an application, asking from a redirect URI, gets scopes.
type Grant struct {
	Account     string // id
	App         string // client id
	RedirectURI string
	Scopes      []string
	Challenge   string // of PKCE, S256; may be empty for a private application
}

// IssueCode makes the authorization code of a grant. It works once, within CodeLifetime.
func (a *Accounts) IssueCode(ctx context.Context, g Grant) (code string, err error) {
	code = newSecret(authCode)
	expires := a.now().UTC().Add(CodeLifetime)
	return code, a.store.InsertAuthCode(ctx, &model.AuthCode{
		Digest: a.digest(code), App: g.App,
		RedirectURI: g.RedirectURI,
		Account:     g.Account, Scopes: g.Scopes, Challenge: g.Challenge, Expires: expires, Forget: expires,
	})
}

// exchanges is how many codes are redeemed at once, so that whoever has redeemed one finds the
// store free to keep the token; others wait.
const exchanges = 16

// TokenRequest is what an application sends for an access token (WIRE §5.3); what it leaves out
// is empty.
type TokenRequest struct{ Client, Secret, Code, RedirectURI, Verifier string }

// Redeem gives the access token for an authorization code, in the order of WIRE §5.3: client,
// what the code is bound to, PKCE, and one write that only one caller passes. A refusal is an
// *OAuthError.
func (a *Accounts) Redeem(ctx context.Context, x TokenRequest) (value string, granted *model.AccessToken, err error) {
	select {
	case a.exchanging <- struct{}{}:
		defer func() { <-a.exchanging }()
	case <-ctx.Done():
		return "", nil, fmt.Errorf("%w: %w", mongo.ErrUnavailable, ctx.Err())
	}
	app, err := a.client(ctx, x)
	if err != nil {
		return "", nil, err
	}
	digest := a.digest(x.Code)
	found, err := a.store.AuthCodesByDigest(ctx, []string{digest})
	if err != nil {
		return "", nil, err
	}
	code := found[0]
	switch {
	case code == nil || !equalDigests(code.Digest, digest) || code.App != app.ID || code.RedirectURI != x.RedirectURI:
		return "", nil, ErrInvalidCode
	case !verifierMatches(code.Challenge, x.Verifier):
		return "", nil, ErrWrongVerifier
	}
	now := a.now().UTC()
	if code.Used != nil {
		if now.Sub(*code.Used) > grace {
			if err := a.store.DeleteAccessTokens(ctx, []string{code.Token}); err != nil {
				return "", nil, err
			}
		}
		return "", nil, ErrInvalidCode
	}
	value = newSecret(accessToken)
	granted = &model.AccessToken{
		Digest: a.digest(value), Account: code.Account, App: app.ID, Scopes: code.Scopes,
		Created: now, Expires: now.Add(AccessTokenLifetime),
	}
	if err := a.take(ctx, digest, now, granted); err != nil {
		return "", nil, err
	}
	return value, granted, nil
}

// take redeems the code and stores its token, unless the grant is withdrawn meanwhile. An
// application that leaves does not break it off halfway.
func (a *Accounts) take(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	ctx = context.WithoutCancel(ctx)
	err := a.store.RedeemAuthCode(ctx, digest, now, t)
	if errors.Is(err, mongo.ErrNotFound) {
		return ErrInvalidCode
	}
	if err != nil {
		return err
	}
	if err := a.store.InsertAccessToken(ctx, t); err != nil {
		return err
	}
	// A withdrawal takes the codes before the tokens: was it too early for the token, the
	// code is gone now.
	still, err := a.store.AuthCodesByDigest(ctx, []string{digest})
	if err == nil && still[0] == nil {
		err = ErrInvalidCode
	}
	if err != nil {
		return errors.Join(err, a.store.DeleteAccessTokens(ctx, []string{t.Digest}))
	}
	return nil
}

// client is the application that asks, if it proves to be it: a private one by its secret,
// a public one by a verifier alone. An unknown one and a wrong secret cannot be told apart,
// by their time neither.
func (a *Accounts) client(ctx context.Context, x TokenRequest) (*model.Application, error) {
	found, err := a.store.ApplicationsByID(ctx, []string{x.Client})
	if err != nil {
		return nil, err
	}
	app, kept := found[0], ""
	if app != nil {
		kept = app.SecretDigest
	}
	right := equalDigests(kept, a.digest(x.Secret))
	switch {
	case app == nil:
		return nil, ErrWrongClient
	case app.Private() && x.Secret == "":
		return nil, ErrNoSecret
	case app.Private() && !right:
		return nil, ErrWrongClient
	case !app.Private() && x.Secret != "":
		return nil, ErrPublicSecret
	case !app.Private() && x.Verifier == "":
		return nil, ErrNoVerifier
	}
	return app, nil
}
