package account

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// created returns the secret that a mutation created; nil if it created none.
func (p *payload) created() *created {
	switch app := p.Application; {
	case p.Value != nil:
		return &created{Title: "Value of the token " + p.Token.Name, Secret: *p.Value}
	case app == nil && p.Secret != nil:
		return &created{Title: "Secret of the new webhook", Secret: *p.Secret}
	case app == nil:
		return nil
	case p.Secret == nil:
		return &created{Title: app.Name + " is registered. A public application has no secret", ID: app.ClientID}
	case app.Name == "": // rotateSecret
		return &created{
			Title: "New client secret. The previous one no longer works", ID: app.ClientID, Secret: *p.Secret,
		}
	default:
		return &created{Title: "Client secret of " + app.Name, ID: app.ClientID, Secret: *p.Secret}
	}
}

// form returns the handler of a form that runs an operation with its fields as variables. It shows the created secret,
// or redirects to its section with the text for done in doneTexts, or shows that section with the error.
func (p *Pages) form(operation, done string) handler {
	return func(ctx context.Context, q *request) {
		p.change(ctx, q, operation, web.Bind(p.operations[operation], q.form), done)
	}
}

func (p *Pages) change(ctx context.Context, q *request, operation string, variables map[string]any, done string) {
	out := p.mutate(ctx, q, operation, variables)
	if out == nil {
		return
	}
	if c := out.created(); c != nil {
		q.show(ctx, http.StatusOK, page{}, c)
		return
	}
	q.redirect(http.StatusSeeOther, sectionOf(q.route.path).Path+"?done="+done)
}

// createToken creates a token that expires after the number of days in the form; none or 0 means never.
func (p *Pages) createToken(ctx context.Context, q *request) {
	variables := web.Bind(p.operations["CreateToken"], q.form)
	delete(variables, "expires")
	days := cmp.Or(q.form.Get("days"), "0")
	at := slices.IndexFunc(lifetimes, func(l lifetime) bool { return strconv.Itoa(l.Days) == days })
	switch {
	case at < 0:
		q.reject(ctx, http.StatusBadRequest, unreadableForm, nil)
		return
	case lifetimes[at].Days > 0:
		variables["expires"] = time.Now().AddDate(0, 0, lifetimes[at].Days).UTC().Format(time.RFC3339)
	}
	p.change(ctx, q, "CreateToken", variables, "")
}

// updatePassword ends all sessions of the account and starts a new one in this browser.
func (p *Pages) updatePassword(ctx context.Context, q *request) {
	password := q.form.Get("newPassword")
	if password != q.form.Get("again") {
		q.rejectFields(ctx, http.StatusBadRequest, map[string]string{"again": differentPasswords})
		return
	}
	out := p.mutate(ctx, q, "UpdatePassword", web.Bind(p.operations["UpdatePassword"], q.form))
	if out == nil {
		return
	}
	if err := p.signInBrowser(ctx, q, *out.Account, password); err != nil {
		q.failed(ctx, err)
		return
	}
	q.redirect(http.StatusSeeOther, securityPath+"?done=password")
}

func (p *Pages) deleteAccount(ctx context.Context, q *request) {
	if p.mutate(ctx, q, "DeleteAccount", web.Bind(p.operations["DeleteAccount"], q.form)) == nil {
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
