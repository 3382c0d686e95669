package account

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// action is a form of the account page: its path, the operation that it runs, whose variables are
// fields of the form, and the key of the text in doneTexts that the page shows afterwards.
type action struct{ path, operation, done string }

var actions = []action{
	{"/account/players/link", "LinkPlayer", "linked"},
	{"/account/players/unlink", "UnlinkPlayer", "unlinked"},
	{"/account/tokens/create", "CreateToken", ""},
	{"/account/tokens/edit", "EditToken", "token-edited"},
	{"/account/tokens/delete", "DeleteToken", "token-deleted"},
	{"/account/applications/create", "RegisterApplication", ""},
	{"/account/applications/edit", "EditApplication", "application-edited"},
	{"/account/applications/rotate", "RotateSecret", ""},
	{"/account/applications/delete", "DeleteApplication", "application-deleted"},
	{"/account/grants/revoke", "RevokeGrant", "revoked"},
}

// actionData is what operations of the account page return that is shown only once.
type actionData struct {
	CreateToken *struct {
		Value string
		Token struct{ Name string }
	}
	RegisterApplication *struct {
		Secret      string
		Application struct{ ClientID, Name string }
	}
	RotateSecret *struct{ ClientID, Secret string }
}

func (d actionData) created() *created {
	switch {
	case d.CreateToken != nil:
		return &created{Title: "Value of the token " + d.CreateToken.Token.Name, Secret: d.CreateToken.Value}
	case d.RegisterApplication != nil:
		app := d.RegisterApplication.Application
		if d.RegisterApplication.Secret == "" {
			return &created{Title: app.Name + " is registered. A public application has no secret", ID: app.ClientID}
		}
		return &created{Title: "Client secret of " + app.Name, ID: app.ClientID, Secret: d.RegisterApplication.Secret}
	case d.RotateSecret != nil:
		return &created{
			Title: "New client secret. The previous one no longer works", ID: d.RotateSecret.ClientID,
			Secret: d.RotateSecret.Secret,
		}
	}
	return nil
}

// run runs the operation of a form. It shows what was created, or redirects to the account page, or
// shows that page with the error.
func (a action) run(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	var out actionData
	if bad := q.pages.run(ctx, a.operation, web.Bind(q.pages.operations[a.operation], q.form), &out); bad != nil {
		q.operationError(ctx, bad)
		return
	}
	if c := out.created(); c != nil {
		q.overview(ctx, http.StatusOK, page{}, c)
		return
	}
	q.redirect(http.StatusSeeOther, accountPath+"?done="+a.done)
}

// changePassword ends all sessions of the account and starts a new one in this browser.
func (p *Pages) changePassword(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	password := q.form.Get("password")
	if password != q.form.Get("again") {
		q.overview(ctx, http.StatusBadRequest, page{Wrong: differentPasswords}, nil)
		return
	}
	var out struct{ ChangePassword struct{ Account string } }
	if bad := p.run(ctx, "ChangePassword", web.Bind(p.operations["ChangePassword"], q.form), &out); bad != nil {
		q.operationError(ctx, bad)
		return
	}
	secret, err := p.accounts.SignIn(ctx, out.ChangePassword.Account, password, q.session)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	q.setCookie(httpapi.SessionCookie, secret, int(auth.SessionLifetime.Seconds()))
	q.redirect(http.StatusSeeOther, accountPath+"?done=password")
}

func (p *Pages) signOut(ctx context.Context, q *request) {
	if q.account != "" {
		if bad := p.run(ctx, "SignOut", nil, &struct{}{}); bad != nil && bad.Code != graph.SessionRequired {
			q.operationError(ctx, bad)
			return
		}
	}
	q.setCookie(httpapi.SessionCookie, "", -1)
	q.redirect(http.StatusSeeOther, signInPath)
}
