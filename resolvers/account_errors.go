package resolvers

import (
	"context"
	"errors"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
)

// errSessionRequired rejects viewers without a session: an API token or an application acts for a user but
// must not grant access to others.
var errSessionRequired = graph.Errorf(graph.SessionRequired,
	"Sign in on the account page first: only a session may do this.")

// signedIn returns the viewer of a session, or errSessionRequired.
func (r *root) signedIn(ctx context.Context) (viewer.Viewer, error) {
	v := viewer.From(ctx)
	if !v.Is(viewer.Session) {
		return viewer.Viewer{}, errSessionRequired
	}
	return v, nil
}

// userErrors lists the account errors that users can correct, each with the input field it concerns.
var userErrors = []struct {
	err   error
	code  model.UserErrorCode
	field string // empty if the error concerns no single field
}{
	{auth.ErrInvalidName, model.UserErrorCodeInvalidForm, "name"},
	{auth.ErrInvalidDescription, model.UserErrorCodeInvalidForm, "description"},
	{auth.ErrInvalidExpiry, model.UserErrorCodeInvalidForm, "expiresAt"},
	{auth.ErrInvalidRedirect, model.UserErrorCodeInvalidForm, "redirectUris"},
	{auth.ErrInvalidPassword, model.UserErrorCodeInvalidForm, "newPassword"},
	{auth.ErrInvalidWebhookURL, model.UserErrorCodeInvalidForm, "url"},
	{auth.ErrInvalidWebhookFilter, model.UserErrorCodeInvalidForm, ""},
	{auth.ErrInvalidCompetition, model.UserErrorCodeInvalidForm, "players"},
	{auth.ErrCompetitionTimes, model.UserErrorCodeInvalidForm, "endsAt"},
	{auth.ErrNoCompetitionMetric, model.UserErrorCodeInvalidForm, "metric"},
	{auth.ErrInvalidRule, model.UserErrorCodeInvalidForm, "rules"},
	{auth.ErrInvalidLinkCode, model.UserErrorCodeNotFound, "code"},
	{auth.ErrPlayerNotLinked, model.UserErrorCodeNotFound, "player"},
	{auth.ErrNoToken, model.UserErrorCodeNotFound, "id"},
	{auth.ErrNoApplication, model.UserErrorCodeNotFound, "id"},
	{auth.ErrNoGrant, model.UserErrorCodeNotFound, "id"},
	{auth.ErrNoWebhook, model.UserErrorCodeNotFound, "id"},
	{auth.ErrNoCompetition, model.UserErrorCodeNotFound, "id"},
	{auth.ErrUnknownGuild, model.UserErrorCodeNotFound, "guild"},
	{auth.ErrUnknownPlayer, model.UserErrorCodeNotFound, "players"},
	{auth.ErrAmbiguousPlayer, model.UserErrorCodeNotFound, "players"},
	{auth.ErrNoSession, model.UserErrorCodeNotFound, "id"},
	{auth.ErrPlayerLinked, model.UserErrorCodeConflict, "code"},
	{auth.ErrTokenNameTaken, model.UserErrorCodeConflict, "name"},
	{auth.ErrCompetitionLimit, model.UserErrorCodeLimitReached, ""},
	{auth.ErrWebhookLimit, model.UserErrorCodeLimitReached, ""},
	{auth.ErrPlayerLimit, model.UserErrorCodeLimitReached, ""},
	{auth.ErrTokenLimit, model.UserErrorCodeLimitReached, ""},
	{auth.ErrApplicationLimit, model.UserErrorCodeLimitReached, ""},
	{auth.ErrWrongPassword, model.UserErrorCodeWrongPassword, "password"},
}

// userErrorsOf returns the correctable errors within an error, which may join several.
func userErrorsOf(err error) []*model.UserError {
	if soon := (*auth.WaitError)(nil); errors.As(err, &soon) {
		return []*model.UserError{{
			Message: sentence(soon), Code: model.UserErrorCodeTooManyRequests, RetryAfter: new(soon.Seconds()),
		}}
	}
	var out []*model.UserError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, part := range joined.Unwrap() {
			out = append(out, userErrorsOf(part)...)
		}
		return out
	}
	for _, known := range userErrors {
		if errors.Is(err, known.err) {
			e := &model.UserError{Message: sentence(err), Code: known.code}
			if known.field != "" {
				e.Field = []string{"input", known.field}
			}
			out = append(out, e)
		}
	}
	return out
}

func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
