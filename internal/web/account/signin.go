package account

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

type signInForm struct {
	SignUp bool
	Name   string
	Next   string // path to go to afterwards
	Done   string // the result of an action
	fault  string // the field that is wrong, if any
}

// signInPage shows the form to sign in or up. A signed-in user may sign in to another account.
func (p *Pages) signInPage(_ context.Context, q *request) {
	done := ""
	if q.r.URL.Query().Get("done") == "deleted" {
		done = "Account deleted."
	}
	q.renderSignIn(http.StatusOK, signInForm{
		SignUp: q.r.URL.Path == signUpPath, Name: q.form.Get("name"), Next: safeNext(q.value("next")), Done: done,
	}, "")
}

func (q *request) renderSignIn(status int, f signInForm, wrong string) {
	title := "Sign in"
	if f.SignUp {
		title = "Create account"
	}
	q.render(status, "sign-in", page{
		Layout: web.Layout{Title: title}, Done: f.Done, Wrong: wrong, Body: f,
		faults: map[string]string{f.fault: wrong},
	})
}

// safeNext returns where to go after signing in: back to the consent page of an application or to a section of the
// account, else to the account. No other address is taken from a request.
func safeNext(next string) string {
	if u, err := url.Parse(next); err == nil && u.Path == authorizePath && strings.HasPrefix(next, authorizePath+"?") {
		return u.RequestURI()
	}
	return sectionOf(next).Path
}

func (p *Pages) signIn(ctx context.Context, q *request) {
	f := signInForm{Name: q.form.Get("name"), Next: safeNext(q.form.Get("next"))}
	wait, err := p.throttleSignIn(ctx, q, f.Name)
	switch {
	case err != nil:
		q.signInError(ctx, f, err)
		return
	case wait > 0:
		q.waitToSignIn(f, wait)
		return
	}
	p.startSession(ctx, q, f)
}

// waitToSignIn shows the form again after too many attempts.
func (q *request) waitToSignIn(f signInForm, wait time.Duration) {
	status, header, text := web.ErrorPage(web.TooManyRequests(wait))
	maps.Copy(q.w.Header(), header)
	q.renderSignIn(status, f, text)
}

const differentPasswords = "The two passwords differ."

func (p *Pages) signUp(ctx context.Context, q *request) {
	f := signInForm{SignUp: true, Name: q.form.Get("name"), Next: safeNext(q.form.Get("next"))}
	if wait := p.throttle(q, signUpRates, f.Name); wait > 0 {
		q.waitToSignIn(f, wait)
		return
	}
	if q.form.Get("password") != q.form.Get("again") {
		f.fault = "again"
		q.renderSignIn(http.StatusBadRequest, f, differentPasswords)
		return
	}
	if _, err := p.accounts.SignUp(ctx, f.Name, q.form.Get("password")); err != nil {
		q.signInError(ctx, f, err)
		return
	}
	p.startSession(ctx, q, f)
}

// startSession signs in with the password of the form. It welcomes a new user, unless an application waits for consent.
func (p *Pages) startSession(ctx context.Context, q *request, f signInForm) {
	if err := p.signInBrowser(ctx, q, f.Name, q.form.Get("password")); err != nil {
		q.signInError(ctx, f, err)
		return
	}
	q.setCookie(formCookie, "", -1)
	if f.SignUp && f.Next == accountPath {
		f.Next += "?done=welcome"
	}
	q.redirect(http.StatusSeeOther, f.Next)
}

// signInBrowser starts a session with a new secret in the browser, which becomes a known device. It ends the browser's
// previous session.
func (p *Pages) signInBrowser(ctx context.Context, q *request, name, password string) error {
	secret, err := p.accounts.Sessions.SignIn(ctx, name, password, q.session, describeBrowser(q.r.UserAgent()))
	if err != nil {
		return err
	}
	device, err := p.accounts.Devices.Remember(ctx, name, q.device)
	if err != nil {
		return err
	}
	q.setCookie(httpapi.SessionCookie, secret, int(auth.SessionLifetime.Seconds()))
	q.setCookie(deviceCookie, device, int(auth.DeviceLifetime.Seconds()))
	return nil
}

// signInErrors lists the errors shown to the user, each with the status of the page and the field.
var signInErrors = map[error]struct {
	status int
	field  string
}{
	auth.ErrInvalidName:      {http.StatusBadRequest, "name"},
	auth.ErrInvalidPassword:  {http.StatusBadRequest, "password"},
	auth.ErrAccountNameTaken: {http.StatusBadRequest, "name"},
	auth.ErrSignInFailed:     {http.StatusForbidden, "password"},
}

func (q *request) signInError(ctx context.Context, f signInForm, err error) {
	for known, shown := range signInErrors {
		if errors.Is(err, known) {
			f.fault = shown.field
			text := strings.ReplaceAll(err.Error(), "\n", "; ")
			q.renderSignIn(shown.status, f, strings.ToUpper(text[:1])+text[1:]+".")
			return
		}
	}
	q.failed(ctx, err)
}
