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

// Bearer tells who sends an Authorization header with this value: the holder of an API token
// or of an OAuth2 access token. graph.ErrInvalidToken means that the credential is malformed,
// unknown, expired or revoked, graph.ErrUnavailable that the store cannot tell.
func (a *Accounts) Bearer(ctx context.Context, authorization string) (viewer.Viewer, *graph.Error) {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	switch secretKind(value) {
	case apiToken:
		return a.ask(ctx, value, a.byToken)
	case accessToken:
		return a.ask(ctx, value, a.byAccessToken)
	}
	return viewer.Viewer{}, graph.ErrInvalidToken
}

// Session tells who sends a session cookie with this value; refusals are those of Bearer.
func (a *Accounts) Session(ctx context.Context, cookie string) (viewer.Viewer, *graph.Error) {
	if secretKind(cookie) != session {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return a.ask(ctx, cookie, a.bySession)
}

// ask answers from memory, else asks the store; one flight serves all who ask for one
// credential at once. A failing store is never remembered, nor taken for a refusal.
func (a *Accounts) ask(ctx context.Context, secret string, find func(context.Context, string) (answer,
	error),
) (viewer.Viewer, *graph.Error) {
	digest := a.digest(secret)
	got, ok := a.known.get(digest, a.now())
	if !ok {
		begins := a.known.begins() // who asks after a change does not wait for an answer from before
		found, err, _ := a.flight.Do(strconv.Itoa(begins)+" "+digest, func() (any, error) {
			asked := a.now()
			// Others wait for this answer, so the one who asked first may leave.
			found, err := find(context.WithoutCancel(ctx), digest)
			if err != nil {
				return nil, err
			}
			found.asked = asked
			a.known.put(digest, found, begins)
			return found, nil
		})
		if err != nil {
			if !errors.Is(err, mongo.ErrUnavailable) {
				a.log.Error("credentials", "error", err)
			}
			return viewer.Viewer{}, graph.ErrUnavailable
		}
		got = found.(answer)
	}
	switch {
	case got.refused != nil:
		return viewer.Viewer{}, got.refused
	case !got.expires.IsZero() && !a.now().Before(got.expires):
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return got.viewer, nil
}

var refused = answer{refused: graph.ErrInvalidToken}

func (a *Accounts) byToken(ctx context.Context, digest string) (answer, error) {
	found, err := a.store.AccountsByToken(ctx, []string{digest})
	if err != nil || found[0] == nil {
		return refused, err
	}
	at := slices.IndexFunc(found[0].Tokens, func(t *model.APIToken) bool { return equalDigests(t.Digest, digest) })
	if at < 0 {
		return refused, nil
	}
	t := found[0].Tokens[at]
	v := viewer.Viewer{Kind: viewer.Token, Account: found[0].ID, Token: t.ID, Public: t.Public}
	if !t.Public {
		v.Profiles = found[0].Profiles
	}
	return answer{viewer: v}, nil
}

func (a *Accounts) bySession(ctx context.Context, digest string) (answer, error) {
	found, err := a.store.SessionsByDigest(ctx, []string{digest})
	if err != nil || found[0] == nil || !equalDigests(found[0].Digest, digest) {
		return refused, err
	}
	return a.ofAccount(ctx, viewer.Viewer{Kind: viewer.Session, Account: found[0].Account, Session: digest},
		found[0].Expires)
}

func (a *Accounts) byAccessToken(ctx context.Context, digest string) (answer, error) {
	found, err := a.store.AccessTokensByDigest(ctx, []string{digest})
	if err != nil || found[0] == nil || !equalDigests(found[0].Digest, digest) {
		return refused, err
	}
	t := found[0]
	// The token of an application that was deleted since is worth nothing.
	apps, err := a.store.ApplicationsByID(ctx, []string{t.App})
	if err != nil || apps[0] == nil {
		return refused, err
	}
	scopes := slices.Sorted(slices.Values(t.Scopes))
	return a.ofAccount(ctx, viewer.Viewer{Kind: viewer.OAuth, Account: t.Account, App: t.App, Scopes: scopes}, t.Expires)
}

// ofAccount adds the linked profiles; a credential of an account that is gone is refused.
func (a *Accounts) ofAccount(ctx context.Context, v viewer.Viewer, expires time.Time) (answer, error) {
	found, err := a.store.AccountsByID(ctx, []string{v.Account})
	if err != nil || found[0] == nil {
		return refused, err
	}
	v.Profiles = found[0].Profiles
	return answer{viewer: v, expires: expires}, nil
}
