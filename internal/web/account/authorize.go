package account

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/web"
)

// consentForm is the page on which a user allows or denies the request of an application.
type consentForm struct {
	App    *model.Application
	Owner  string // name of the account that registered the application; empty when it was deleted
	Host   string // where the user is sent afterwards
	Scopes []model.Scope
	Action string // path and query of the request
}

// authorizationRequest reads an application's request from the query. If the request is invalid, it returns nil and
// sends the error to the redirect URI, or shows it here when the URI is not registered.
func (p *Pages) authorizationRequest(ctx context.Context, q *request) (*model.Application, *authorizationRequest) {
	query, err := url.ParseQuery(q.r.URL.RawQuery)
	if err != nil {
		q.errorPage(http.StatusBadRequest, "The address of this page is malformed.")
		return nil, nil
	}
	app, err := p.accounts.Applications.ByID(ctx, strings.ToValidUTF8(single(query, "client_id"), "?"))
	switch {
	case errors.Is(err, auth.ErrNoApplication):
		q.errorPage(http.StatusBadRequest, "The application that sent you here is not registered (client_id).")
		return nil, nil
	case err != nil:
		q.failed(ctx, err)
		return nil, nil
	case redirectURI(app, query) == "":
		q.errorPage(http.StatusBadRequest,
			"The address to send you back to is not registered for this application (redirect_uri).")
		return nil, nil
	}
	parsed, bad := parseAuthorizationRequest(app, query)
	if bad != nil {
		q.redirect(http.StatusFound, parsed.errorURI(bad))
		return nil, nil
	}
	return app, &parsed
}

// consent shows which application requests which scopes.
func (p *Pages) consent(ctx context.Context, q *request) {
	app, requested := p.authorizationRequest(ctx, q)
	here := authorizePath + "?" + q.r.URL.RawQuery
	if app == nil || !q.requireSession(here) {
		return
	}
	a, err := p.accounts.ByID(ctx, q.account)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	owner, err := p.accounts.ByID(ctx, app.Account)
	switch {
	case errors.Is(err, auth.ErrNoAccount):
		owner = &model.Account{}
	case err != nil:
		q.failed(ctx, err)
		return
	}
	// Browsers check the redirects after a form against form-action, also those that the application makes then.
	q.w.Header().Set("Content-Security-Policy", strings.Replace(web.PagePolicy, "form-action 'self'; ", "", 1))
	q.render(http.StatusOK, "consent", page{
		Layout: web.Layout{Title: "Allow " + app.Name + "?"}, Name: a.Name,
		Body: consentForm{
			App: app, Owner: owner.Name, Host: destination(requested.RedirectURI),
			Scopes: model.ScopesNamed(requested.Scopes), Action: here,
		},
	})
}

// decide sends the user's decision about the request in the query to the application. The grant contains identify and
// the requested scopes that the user ticked.
func (p *Pages) decide(ctx context.Context, q *request) {
	app, requested := p.authorizationRequest(ctx, q)
	if app == nil || !q.requireSession(authorizePath+"?"+q.r.URL.RawQuery) {
		return
	}
	switch q.form.Get("decision") {
	case "allow":
		code, err := p.accounts.Grants.IssueCode(ctx, auth.Grant{
			Account: q.account, App: app.ClientID, RedirectURI: requested.RedirectURI,
			Scopes: slices.DeleteFunc(requested.Scopes, func(scope string) bool {
				return scope != model.IdentifyScope && !slices.Contains(q.form["scopes"], scope)
			}),
			Challenge: requested.Challenge,
		})
		if err != nil {
			q.failed(ctx, err)
			return
		}
		q.redirect(http.StatusFound, requested.responseURI("code", code))
	case "deny":
		q.redirect(http.StatusFound, requested.errorURI(errDenied))
	default:
		q.errorPage(http.StatusBadRequest, unreadableForm)
	}
}
