package account

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// formData is what operations of forms return that is shown only once.
type formData struct {
	CreateToken *struct {
		Value string
		Token struct{ Name string }
	}
	RegisterApplication *struct {
		Secret      string
		Application struct{ ClientID, Name string }
	}
	RotateSecret *struct {
		Secret      string
		Application struct{ ClientID string }
	}
}

func (d formData) created() *created {
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
			Title: "New client secret. The previous one no longer works", ID: d.RotateSecret.Application.ClientID,
			Secret: d.RotateSecret.Secret,
		}
	}
	return nil
}

// form returns the handler of a form that runs an operation with its fields as variables. It shows what was created, or
// redirects to the account page with the text for done in doneTexts, or shows that page with the error.
func (p *Pages) form(operation, done string) handler {
	return func(ctx context.Context, q *request) {
		if !q.requireSession(accountPath) {
			return
		}
		var out formData
		if !p.mutate(ctx, q, operation, web.Bind(p.operations[operation], q.form), &out) {
			return
		}
		if c := out.created(); c != nil {
			q.overview(ctx, http.StatusOK, page{}, c)
			return
		}
		q.redirect(http.StatusSeeOther, accountPath+"?done="+done)
	}
}

// setRules changes the access rules of a linked player that the form contains, each by the name of the rule.
func (p *Pages) setRules(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	rules := []any{}
	for rule := range model.NumAccessRules {
		if value := q.form.Get(rule.Info().Name); value != "" {
			rules = append(rules, map[string]any{"rule": rule.String(), "value": model.Enums["Access"].Value(value)})
		}
	}
	variables := map[string]any{"player": q.form.Get("player"), "rules": rules}
	if !p.mutate(ctx, q, "SetAccessRules", variables, &struct{}{}) {
		return
	}
	q.redirect(http.StatusSeeOther, accountPath+"?done=rules")
}

// changePassword ends all sessions of the account and starts a new one in this browser.
func (p *Pages) changePassword(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	password := q.form.Get("newPassword")
	if password != q.form.Get("again") {
		q.overview(ctx, http.StatusBadRequest, page{Wrong: differentPasswords}, nil)
		return
	}
	var out struct{ ChangePassword struct{ Account string } }
	if !p.mutate(ctx, q, "ChangePassword", web.Bind(p.operations["ChangePassword"], q.form), &out) {
		return
	}
	if err := p.signInBrowser(ctx, q, out.ChangePassword.Account, password); err != nil {
		q.failed(ctx, err)
		return
	}
	q.redirect(http.StatusSeeOther, accountPath+"?done=password")
}

// deleteAccount deletes the account of the session.
func (p *Pages) deleteAccount(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	if !p.mutate(ctx, q, "DeleteAccount", web.Bind(p.operations["DeleteAccount"], q.form), &struct{}{}) {
		return
	}
	q.setCookie(httpapi.SessionCookie, "", -1)
	q.redirect(http.StatusSeeOther, signInPath+"?done=deleted")
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
