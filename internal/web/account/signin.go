package account

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
)

// entry is the page where people sign in or up.
type entry struct {
	Up   bool
	Name string
	Next string
}

// entrance shows the form to sign in, or up. Who is signed in may sign in as somebody else.
func (p *Pages) entrance(_ context.Context, v *visit) {
	v.entry(http.StatusOK, entry{Up: v.r.URL.Path == signUp, Next: inside(v.r.URL.Query().Get("next"))}, "")
}

func (v *visit) entry(status int, e entry, wrong string) {
	title := "Sign in"
	if e.Up {
		title = "Make an account"
	}
	v.write(status, "entry", page{Title: title, Wrong: wrong, Body: e})
}

// inside is where to go after signing in: back to the question of an application, or to the
// account. No other address is taken from a request.
func inside(next string) string {
	if u, err := url.Parse(next); err == nil && u.Path == authorize && strings.HasPrefix(next, authorize+"?") {
		return u.RequestURI()
	}
	return home
}

func (p *Pages) doSignIn(ctx context.Context, v *visit) {
	e := entry{Name: v.form.Get("name"), Next: inside(v.form.Get("next"))}
	if wait := p.tooMany(v, signInRates, e.Name); wait > 0 {
		v.wait(wait)
		return
	}
	p.enter(ctx, v, e)
}

func (p *Pages) doSignUp(ctx context.Context, v *visit) {
	e := entry{Up: true, Name: v.form.Get("name"), Next: inside(v.form.Get("next"))}
	if wait := p.tooMany(v, signUpRates, e.Name); wait > 0 {
		v.wait(wait)
		return
	}
	if v.form.Get("password") != v.form.Get("again") {
		v.entry(http.StatusBadRequest, e, "The two passwords differ.")
		return
	}
	if _, err := p.accounts.SignUp(ctx, e.Name, v.form.Get("password")); err != nil {
		v.refuseEntry(ctx, e, err)
		return
	}
	p.enter(ctx, v, e)
}

// enter signs in with the password of the form. The browser gets a secret that nobody knew
// before, and the one it came with ends.
func (p *Pages) enter(ctx context.Context, v *visit, e entry) {
	secret, err := p.accounts.SignIn(ctx, e.Name, v.form.Get("password"), v.session)
	if err != nil {
		v.refuseEntry(ctx, e, err)
		return
	}
	v.cookie(httpapi.SessionCookie, secret, int(auth.SessionLifetime.Seconds()))
	v.cookie(formCookie, "", -1)
	v.goTo(e.Next)
}

// entryRefusals are what people are told who sign in or up, in the words of accounts.
var entryRefusals = map[error]int{
	auth.ErrInvalidName: http.StatusBadRequest, auth.ErrInvalidPassword: http.StatusBadRequest,
	auth.ErrAccountNameTaken: http.StatusBadRequest,
	auth.ErrSignInFailed:     http.StatusForbidden,
}

func (v *visit) refuseEntry(ctx context.Context, e entry, err error) {
	for known, status := range entryRefusals {
		if errors.Is(err, known) {
			text := strings.ReplaceAll(err.Error(), "\n", "; ")
			v.entry(status, e, strings.ToUpper(text[:1])+text[1:]+".")
			return
		}
	}
	v.failed(ctx, err)
}
