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

// secrets are the data of operations that return something that is shown only once.
type secrets struct {
	CreateToken
	CreateApplication
	RotateSecret
	CreateWebhook
}

func (s secrets) created() *created {
	if t := s.CreateToken.CreateToken; t != nil {
		return &created{Title: "Value of the token " + t.Token.Name, Secret: *t.Value}
	}
	if r := s.CreateApplication.CreateApplication; r != nil && r.Secret == nil {
		return &created{
			Title: r.Application.Name + " is registered. A public application has no secret", ID: r.Application.ClientID,
		}
	} else if r != nil {
		return &created{Title: "Client secret of " + r.Application.Name, ID: r.Application.ClientID, Secret: *r.Secret}
	}
	if r := s.RotateSecret.RotateSecret; r != nil {
		return &created{
			Title: "New client secret. The previous one no longer works", ID: r.Application.ClientID, Secret: *r.Secret,
		}
	}
	if r := s.CreateWebhook.CreateWebhook; r != nil {
		return &created{Title: "Secret of the new webhook", Secret: *r.Secret}
	}
	return nil
}

// form returns the handler of a form that runs an operation with its fields as variables. It shows what was created, or
// redirects to its section with the text for done in doneTexts, or shows that section with the error.
func (p *Pages) form(operation, done string) handler {
	return func(ctx context.Context, q *request) {
		p.change(ctx, q, operation, web.Bind(p.operations[operation], q.form), done)
	}
}

func (p *Pages) change(ctx context.Context, q *request, operation string, variables map[string]any, done string) {
	section := sectionOf(q.route.path).Path
	if !q.requireSession(section) {
		return
	}
	var out secrets
	if !p.mutate(ctx, q, operation, variables, &out) {
		return
	}
	if c := out.created(); c != nil {
		q.show(ctx, http.StatusOK, page{}, c)
		return
	}
	q.redirect(http.StatusSeeOther, section+"?done="+done)
}

// createToken creates a token that works for the days of the form; none or 0 is no expiry.
func (p *Pages) createToken(ctx context.Context, q *request) {
	variables := web.Bind(p.operations["CreateToken"], q.form)
	delete(variables, "expires")
	days := cmp.Or(q.form.Get("days"), "0")
	at := slices.IndexFunc(lifetimes, func(l lifetime) bool { return strconv.Itoa(l.Days) == days })
	switch {
	case at < 0:
		q.errorPage(http.StatusBadRequest, unreadableForm)
		return
	case lifetimes[at].Days > 0:
		variables["expires"] = time.Now().AddDate(0, 0, lifetimes[at].Days).UTC().Format(time.RFC3339)
	}
	p.change(ctx, q, "CreateToken", variables, "")
}

// updatePassword ends all sessions of the account and starts a new one in this browser.
func (p *Pages) updatePassword(ctx context.Context, q *request) {
	if !q.requireSession(securityPath) {
		return
	}
	password := q.form.Get("newPassword")
	if password != q.form.Get("again") {
		q.reject(ctx, http.StatusBadRequest, differentPasswords)
		return
	}
	var out UpdatePassword
	if !p.mutate(ctx, q, "UpdatePassword", web.Bind(p.operations["UpdatePassword"], q.form), &out) {
		return
	}
	if err := p.signInBrowser(ctx, q, *out.UpdatePassword.Account, password); err != nil {
		q.failed(ctx, err)
		return
	}
	q.redirect(http.StatusSeeOther, securityPath+"?done=password")
}

func (p *Pages) deleteAccount(ctx context.Context, q *request) {
	if !q.requireSession(securityPath) {
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
