package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamedata/graph/model"
)

// Lifetimes of an authorization code and of the resulting access token.
const (
	CodeLifetime        = 5 * time.Minute
	AccessTokenLifetime = 30 * 24 * time.Hour
)

// replayGrace is how long after a code's first use a second one counts as a network retry. A later use shows that the
// code was stolen, and revokes the token.
const replayGrace = 10 * time.Second

// Grant records a user's consent: an application at a redirect URI gets scopes.
type Grant struct {
	Account     string // id
	App         string // client id
	RedirectURI string
	Scopes      []string
	Challenge   string // PKCE, S256; may be empty for a private application
}

// IssueCode creates the authorization code of a grant. It works once, within CodeLifetime.
func (gs *Grants) IssueCode(ctx context.Context, g Grant) (code string, err error) {
	code = newSecret(authCode)
	expires := gs.now().UTC().Add(CodeLifetime)
	return code, gs.store.Codes.Insert(ctx, &model.AuthCode{
		Digest: gs.digest(code), App: g.App, RedirectURI: g.RedirectURI, Account: g.Account, Scopes: g.Scopes,
		Challenge: g.Challenge, Expires: expires, Forget: expires,
	})
}

// maxExchanges bounds concurrent exchanges; others wait. Without it, a flood of exchanges of one code would keep the
// store too busy to save the token of the one that succeeded.
const maxExchanges = 16

// enter waits until fewer than maxExchanges run. The caller calls leave afterwards.
func (gs *Grants) enter(ctx context.Context) (leave func(), err error) {
	if err := gs.exchanging.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("waiting for other requests of applications: %w", err)
	}
	return func() { gs.exchanging.Release(1) }, nil
}

// TokenRequest is an application's request for an access token; missing parameters are empty.
type TokenRequest struct{ Client, Secret, Code, RedirectURI, Verifier string }

// Redeem exchanges an authorization code for an access token. It checks the client, the code's bindings and PKCE, in
// the order of docs/spec/wire.md. Then one atomic write marks the code as used, so exactly one of many concurrent
// requests succeeds. It rejects a request with an *OAuthError.
func (gs *Grants) Redeem(ctx context.Context, r TokenRequest) (secret string, token *model.AccessToken, err error) {
	leave, err := gs.enter(ctx)
	if err != nil {
		return "", nil, err
	}
	defer leave()
	app, err := gs.applications.authenticate(ctx, r.Client, r.Secret)
	switch {
	case err != nil:
		return "", nil, err
	case !app.Private() && r.Verifier == "":
		return "", nil, ErrNoVerifier
	}
	digest := gs.digest(r.Code)
	codes, err := gs.store.Codes.ByID(ctx, []string{digest})
	if err != nil {
		return "", nil, err
	}
	code := codes[0]
	switch {
	case code == nil || !equalDigests(code.Digest, digest) || code.App != app.ClientID ||
		code.RedirectURI != r.RedirectURI:
		return "", nil, ErrInvalidCode
	case !verifierMatches(code.Challenge, r.Verifier):
		return "", nil, ErrWrongVerifier
	}
	now := gs.now().UTC()
	if code.Used != nil {
		if now.Sub(*code.Used) > replayGrace {
			if err := gs.deleteToken(ctx, code.Token); err != nil {
				return "", nil, err
			}
		}
		return "", nil, ErrInvalidCode
	}
	secret = newSecret(accessToken)
	token = &model.AccessToken{
		Digest: gs.digest(secret), Account: code.Account, App: app.ClientID, Scopes: code.Scopes,
		Created: now, Expires: now.Add(AccessTokenLifetime),
	}
	if err := gs.useCode(ctx, digest, now, token); err != nil {
		return "", nil, err
	}
	return secret, token, nil
}

// useCode marks the code as used and stores its token, unless the grant has been revoked. It
// completes even if the caller disconnects.
func (gs *Grants) useCode(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	ctx = context.WithoutCancel(ctx)
	if err := gs.store.Codes.Redeem(ctx, digest, now, t); err != nil {
		return replaceNotFound(err, ErrInvalidCode)
	}
	if err := gs.store.Grants.Insert(ctx, t); err != nil {
		return err
	}
	// A revocation deletes codes before tokens: if it ran before this insert, the code is gone by now.
	codes, err := gs.store.Codes.ByID(ctx, []string{digest})
	if err == nil && codes[0] == nil {
		err = ErrInvalidCode
	}
	if err != nil {
		return errors.Join(err, gs.deleteToken(ctx, t.Digest))
	}
	return nil
}

// deleteToken deletes an access token, if it exists.
func (gs *Grants) deleteToken(ctx context.Context, digest string) error {
	return replaceNotFound(gs.store.Grants.Delete(ctx, digest), nil)
}

// RevocationRequest is an application's request to revoke an access token; missing parameters are empty.
type RevocationRequest struct{ Client, Secret, Token string }

// RevokeToken revokes an access token for the application that it was issued to, on this instance at once and on others
// within 5 seconds. It rejects an application that does not authenticate with an *OAuthError. A token that is unknown,
// expired, revoked, of another kind or issued to another application is ignored without an error, so the caller cannot
// tell these cases apart.
func (gs *Grants) RevokeToken(ctx context.Context, r RevocationRequest) error {
	leave, err := gs.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	app, err := gs.applications.authenticate(ctx, r.Client, r.Secret)
	if err != nil {
		return err
	}
	digest := gs.digest(r.Token)
	// Once begun, it completes even if the caller disconnects: the token may have leaked.
	revoked, err := gs.store.Grants.RevokeToken(context.WithoutCancel(ctx), digest, app.ClientID)
	if revoked || err != nil {
		gs.cache.invalidate(digest)
	}
	return err
}
