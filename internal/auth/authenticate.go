package auth

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
)

// Credentials authenticates callers.
type Credentials struct {
	*base
	flight singleflight.Group
}

// Bearer authenticates the value of an Authorization header: an API token or an OAuth2 access token.
// It returns graph.ErrInvalidToken if the credential is malformed, unknown, expired or revoked, and
// graph.ErrUnavailable if the store fails.
func (c *Credentials) Bearer(ctx context.Context, authorization string) (viewer.Viewer, *graph.Error) {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	switch secretKind(value) {
	case apiToken:
		return c.authenticate(ctx, c.digest(value), c.lookUpToken)
	case accessToken:
		return c.authenticate(ctx, c.digest(value), c.lookUpAccessToken)
	}
	return viewer.Viewer{}, graph.ErrInvalidToken
}

// Session authenticates the value of a session cookie, with the errors of Bearer.
func (c *Credentials) Session(ctx context.Context, cookie string) (viewer.Viewer, *graph.Error) {
	if secretKind(cookie) != session {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return c.authenticate(ctx, c.digest(cookie), c.lookUpSession)
}

// Resume authenticates a viewer's Session again, since it may have ended meanwhile. It returns the errors of Bearer.
func (c *Credentials) Resume(ctx context.Context, session string) (viewer.Viewer, *graph.Error) {
	return c.authenticate(ctx, session, c.lookUpSession)
}

// authenticate looks a secret up by its digest, in the cache, then in the store; concurrent requests with the same
// secret share one lookup. A store failure is not cached and does not count as an invalid credential.
func (c *Credentials) authenticate(ctx context.Context, digest string,
	find func(context.Context, string) (lookup, error),
) (viewer.Viewer, *graph.Error) {
	l, ok := c.cache.get(digest, c.now())
	if !ok {
		// The generation is part of the key: a request after a change must not share a lookup from before it.
		generation := c.cache.currentGeneration()
		shared, err, _ := c.flight.Do(strconv.Itoa(generation)+" "+digest, func() (any, error) {
			at := c.now()
			if l, ok := c.cache.get(digest, at); ok { // a concurrent lookup has ended
				return l, nil
			}
			// Other callers share this lookup, so it continues if the first one leaves.
			l, err := find(context.WithoutCancel(ctx), digest)
			if err != nil {
				return nil, err
			}
			l.at = at
			c.cache.put(digest, l, generation)
			return l, nil
		})
		if err != nil {
			if !errors.Is(err, mongo.ErrUnavailable) {
				c.log.Error("looking up credential failed", "error", err)
			}
			return viewer.Viewer{}, graph.ErrUnavailable
		}
		l = shared.(lookup)
	}
	switch {
	case l.err != nil:
		return viewer.Viewer{}, l.err
	case !l.expires.IsZero() && !c.now().Before(l.expires):
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return l.viewer, nil
}

var invalid = lookup{err: graph.ErrInvalidToken}

func (c *Credentials) lookUpToken(ctx context.Context, digest string) (lookup, error) {
	accounts, err := c.store.Accounts.ByToken(ctx, []string{digest})
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
	if t.ExpiresAt != nil {
		l.expires = *t.ExpiresAt
	}
	return l, nil
}

func (c *Credentials) lookUpSession(ctx context.Context, digest string) (lookup, error) {
	sessions, err := c.store.Sessions.ByID(ctx, []string{digest})
	if err != nil || sessions[0] == nil || !equalDigests(sessions[0].Digest, digest) {
		return invalid, err
	}
	s := sessions[0]
	return c.addProfiles(ctx, viewer.Viewer{Kind: viewer.Session, Account: s.Account, Session: digest}, s.ExpiresAt)
}

func (c *Credentials) lookUpAccessToken(ctx context.Context, digest string) (lookup, error) {
	tokens, err := c.store.Grants.ByID(ctx, []string{digest})
	if err != nil || tokens[0] == nil || !equalDigests(tokens[0].Digest, digest) {
		return invalid, err
	}
	t := tokens[0]
	// Deleting an application invalidates its tokens.
	apps, err := c.store.Applications.ByID(ctx, []string{t.App})
	if err != nil || apps[0] == nil {
		return invalid, err
	}
	scopes := slices.Sorted(slices.Values(t.Scopes))
	return c.addProfiles(ctx, viewer.Viewer{Kind: viewer.OAuth, Account: t.Account, App: t.App, Scopes: scopes}, t.Expires)
}

// addProfiles adds the account's linked players; without the account the credential is invalid.
func (c *Credentials) addProfiles(ctx context.Context, v viewer.Viewer, expires time.Time) (lookup, error) {
	accounts, err := c.store.Accounts.ByID(ctx, []string{v.Account})
	if err != nil || accounts[0] == nil {
		return invalid, err
	}
	v.Profiles = accounts[0].Profiles
	return lookup{viewer: v, expires: expires}, nil
}
