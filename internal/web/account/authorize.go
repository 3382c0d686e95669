package account

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/auth"
)

// consenting is the page that asks a user (WIRE §5.2).
type consenting struct {
	App    *model.Application
	Host   string // where the user is sent back to
	Scopes []scope
	Action string // the question itself, as it was sent
}

// question reads the question of the request and answers what cannot be asked: on a page of
// ours when nobody is known who could be told, else at the redirect URI. It is nil then.
func (p *Pages) question(ctx context.Context, v *visit) (*model.Application, *question) {
	q, err := url.ParseQuery(v.r.URL.RawQuery)
	if err != nil {
		v.problem(http.StatusBadRequest, "The address of this page is malformed.")
		return nil, nil
	}
	app, err := p.accounts.Application(ctx, strings.ToValidUTF8(single(q, "client_id"), "?"))
	switch {
	case errors.Is(err, auth.ErrNoApplication):
		v.problem(http.StatusBadRequest, "The application that sent you here is not registered (client_id).")
		return nil, nil
	case err != nil:
		v.failed(ctx, err)
		return nil, nil
	case returnTo(app, q) == "":
		v.problem(http.StatusBadRequest, "The address to send you back to is not registered for this application (redirect_uri).")
		return nil, nil
	}
	asked, bad := ask(app, q)
	if bad != nil {
		v.back(asked.answered("error", bad.Name, "error_description", bad.Text))
		return nil, nil
	}
	return app, &asked
}

// back sends the user to the application.
func (v *visit) back(to string) {
	v.w.Header().Set("Location", to)
	v.w.Header().Set("Content-Length", "0")
	v.w.WriteHeader(http.StatusFound)
}

// consent shows who asks for what.
func (p *Pages) consent(ctx context.Context, v *visit) {
	app, asked := p.question(ctx, v)
	here := authorize + "?" + v.r.URL.RawQuery
	if app == nil || !v.signedIn(here) {
		return
	}
	a, err := p.accounts.AccountByID(ctx, v.account)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	shown, source := destination(asked.RedirectURI)
	v.w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'self'", "form-action 'self' "+source,
		1))
	v.write(http.StatusOK, "consent", page{
		Title: "Allow " + app.Name + "?", Name: a.Name,
		Body: consenting{App: app, Host: shown, Scopes: explained(asked.Scopes), Action: here},
	})
}

// decide answers the application what the user says to the question in the address.
func (p *Pages) decide(ctx context.Context, v *visit) {
	app, asked := p.question(ctx, v)
	if app == nil || !v.signedIn(authorize+"?"+v.r.URL.RawQuery) {
		return
	}
	switch v.form.Get("decision") {
	case "allow":
		code, err := p.accounts.IssueCode(ctx, auth.Grant{
			Account: v.account, App: app.ID, RedirectURI: asked.RedirectURI,
			Scopes: asked.Scopes, Challenge: asked.Challenge,
		})
		if err != nil {
			v.failed(ctx, err)
			return
		}
		v.back(asked.answered("code", code))
	case "deny":
		v.back(asked.answered("error", errDenied.Name, "error_description", errDenied.Text))
	default:
		v.problem(http.StatusBadRequest, "The form could not be read.")
	}
}
