package resolvers

import (
	"context"
	"errors"
	"strings"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/mongo"
)

// errSessionRequired rejects viewers without a session: an API token or an application acts for a user but
// must not grant access to others.
var errSessionRequired = graph.Errorf(graph.SessionRequired,
	"Sign in on the account page first: only a session may do this.")

// signedIn returns the viewer of a session, or errSessionRequired.
func (r *root) signedIn(ctx context.Context) (viewer.Viewer, error) {
	v := viewer.From(ctx)
	if r.accounts == nil || !v.Is(viewer.Session) {
		return viewer.Viewer{}, errSessionRequired
	}
	return v, nil
}

// accountErrorCodes are the errors of accounts whose texts users see, by code.
var accountErrorCodes = map[graph.Code][]error{
	graph.InvalidForm: {
		auth.ErrInvalidName, auth.ErrInvalidDescription, auth.ErrInvalidRedirect, auth.ErrUnknownScope,
		auth.ErrInvalidPassword, auth.ErrInvalidRule,
	},
	graph.NotFound:     {auth.ErrInvalidLinkCode, auth.ErrPlayerNotLinked, auth.ErrNoToken, auth.ErrNoApplication},
	graph.Conflict:     {auth.ErrPlayerLinked, auth.ErrTokenNameTaken},
	graph.LimitReached: {auth.ErrPlayerLimit, auth.ErrTokenLimit, auth.ErrApplicationLimit},
	graph.Forbidden:    {auth.ErrWrongPassword},
	// The account was deleted after the session was checked.
	graph.SessionRequired: {auth.ErrNoAccount},
}

// accountError returns an error of accounts in the form that callers see.
func accountError(err error) error {
	var soon *mongo.TooSoonError
	var many *auth.TooManyAttemptsError
	switch {
	case errors.As(err, &soon):
		return tooMany(err, soon.Seconds())
	case errors.As(err, &many):
		return tooMany(err, many.Seconds())
	}
	for code, known := range accountErrorCodes {
		for _, one := range known {
			if errors.Is(err, one) {
				return graph.Errorf(code, "%s", sentence(err))
			}
		}
	}
	return storeError(err, graph.ErrInternal)
}

func tooMany(err error, seconds int) *graph.Error {
	return &graph.Error{Code: graph.TooManyRequests, Detail: sentence(err), RetryAfter: seconds}
}

func sentence(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
