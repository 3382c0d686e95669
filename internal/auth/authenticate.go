package auth

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
)

// Bearer authenticates the value of an Authorization header: an API token or an OAuth2 access token.
// It returns graph.ErrInvalidToken if the credential is malformed, unknown, expired or revoked, and
// graph.ErrUnavailable if the store fails.
func (a *Accounts) Bearer(ctx context.Context, authorization string) (viewer.Viewer, *graph.Error) {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	switch secretKind(value) {
	case apiToken:
		return a.authenticate(ctx, a.digest(value), a.lookUpToken)
	case accessToken:
		return a.authenticate(ctx, a.digest(value), a.lookUpAccessToken)
	}
	return viewer.Viewer{}, graph.ErrInvalidToken
}

// Session authenticates the value of a session cookie, with the errors of Bearer.
func (a *Accounts) Session(ctx context.Context, cookie string) (viewer.Viewer, *graph.Error) {
	if secretKind(cookie) != session {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return a.authenticate(ctx, a.digest(cookie), a.lookUpSession)
}

// ResumeSession authenticates a session again by the Session of its viewer, with the errors of Bearer:
// the session may have ended meanwhile.
func (a *Accounts) ResumeSession(ctx context.Context, session string) (viewer.Viewer, *graph.Error) {
	return a.authenticate(ctx, session, a.lookUpSession)
}

// authenticate looks a secret up by its digest, in the cache, then in the store; concurrent requests with the
// same secret share one lookup. A store failure is neither cached nor taken for an invalid credential.
func (a *Accounts) authenticate(ctx context.Context, digest string,
	find func(context.Context, string) (lookup, error),
) (viewer.Viewer, *graph.Error) {
	l, ok := a.credentials.get(digest, a.now())
	if !ok {
		// The generation is part of the key: a request after a change must not share a lookup from before it.
		generation := a.credentials.currentGeneration()
		shared, err, _ := a.flight.Do(strconv.Itoa(generation)+" "+digest, func() (any, error) {
			at := a.now()
			// Others share this lookup, so it continues if the first caller leaves.
			l, err := find(context.WithoutCancel(ctx), digest)
			if err != nil {
				return nil, err
			}
			l.at = at
			a.credentials.put(digest, l, generation)
			return l, nil
		})
		if err != nil {
			if !errors.Is(err, mongo.ErrUnavailable) {
				a.log.Error("looking up credential failed", "error", err)
			}
			return viewer.Viewer{}, graph.ErrUnavailable
		}
		l = shared.(lookup)
	}
	switch {
	case l.err != nil:
		return viewer.Viewer{}, l.err
	case !l.expires.IsZero() && !a.now().Before(l.expires):
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return l.viewer, nil
}

var invalid = lookup{err: graph.ErrInvalidToken}

func (a *Accounts) lookUpToken(ctx context.Context, digest string) (lookup, error) {
	accounts, err := a.store.Accounts.ByToken(ctx, []string{digest})
	if err != nil || accounts[0] == nil {
		return invalid, err
	}
	account := accounts[0]
	i := slices.IndexFunc(account.Tokens, func(t *model.APIToken) bool { return equalDigests(t.Digest, digest) })
	if i < 0 {
		return invalid, nil
	}
	t := account.Tokens[i]
	v := viewer.Viewer{Kind: viewer.Token, Account: account.ID, Token: t.Key, Public: t.Public}
	if !t.Public {
		v.Profiles = account.Profiles
	}
	l := lookup{viewer: v}
	if t.Expires != nil {
		l.expires = *t.Expires
	}
	return l, nil
}

func (a *Accounts) lookUpSession(ctx context.Context, digest string) (lookup, error) {
	sessions, err := a.store.Sessions.ByDigest(ctx, []string{digest})
	if err != nil || sessions[0] == nil || !equalDigests(sessions[0].Digest, digest) {
		return invalid, err
	}
	s := sessions[0]
	return a.addProfiles(ctx, viewer.Viewer{Kind: viewer.Session, Account: s.Account, Session: digest}, s.Expires)
}

func (a *Accounts) lookUpAccessToken(ctx context.Context, digest string) (lookup, error) {
	tokens, err := a.store.Grants.TokensByDigest(ctx, []string{digest})
	if err != nil || tokens[0] == nil || !equalDigests(tokens[0].Digest, digest) {
		return invalid, err
	}
	t := tokens[0]
	// Deleting an application invalidates its tokens.
	apps, err := a.store.Applications.ByID(ctx, []string{t.App})
	if err != nil || apps[0] == nil {
		return invalid, err
	}
	scopes := slices.Sorted(slices.Values(t.Scopes))
	return a.addProfiles(ctx, viewer.Viewer{Kind: viewer.OAuth, Account: t.Account, App: t.App, Scopes: scopes}, t.Expires)
}

// addProfiles adds the account's linked players; without the account the credential is invalid.
func (a *Accounts) addProfiles(ctx context.Context, v viewer.Viewer, expires time.Time) (lookup, error) {
	accounts, err := a.store.Accounts.ByID(ctx, []string{v.Account})
	if err != nil || accounts[0] == nil {
		return invalid, err
	}
	v.Profiles = accounts[0].Profiles
	return lookup{viewer: v, expires: expires}, nil
}
