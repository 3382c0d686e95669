// Package pages is what people open to use their account: signing up and in, linked players,
// API tokens, applications and what they were granted, and the page where a user agrees to an
// application (SPEC §5, WIRE §5.2). Everything is rendered here and works without a script.
//
// What is allowed is decided by accounts; pages read forms, guard them against other sites,
// and find words.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"gamedata/accounts"
	"gamedata/door"
	"gamedata/limit"
)

//go:embed html
var files embed.FS

// Paths.
const (
	home      = "/account"
	signIn    = "/account/sign-in"
	signUp    = "/account/sign-up"
	authorize = "/oauth/authorize"
)

// Options of Pages.
type Options struct {
	// Timeout bounds one request; door.DefaultTimeout when 0.
	Timeout time.Duration
	// Log takes what people are not told; slog.Default() when nil.
	Log *slog.Logger
}

// Pages answers browsers. It stands behind the door's middleware, which tells who asks.
type Pages struct {
	door     *door.Door
	accounts *accounts.Accounts
	o        Options
	html     *template.Template
	throttle *limit.Limiter
	deeds    map[string]deed
}

// deed is what a form does.
type deed func(ctx context.Context, v *visit)

// New returns the pages of some accounts.
func New(d *door.Door, a *accounts.Accounts, o Options) (*Pages, error) {
	if o.Timeout == 0 {
		o.Timeout = door.DefaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	html, err := template.New("").Funcs(words).ParseFS(files, "html/*.html")
	if err != nil {
		return nil, err
	}
	p := &Pages{door: d, accounts: a, o: o, html: html, throttle: limit.New(limit.Options{})}
	p.deeds = map[string]deed{
		signIn: p.doSignIn, signUp: p.doSignUp, "/account/sign-out": p.doSignOut, "/account/password": p.changePassword,
		"/account/players/link": p.link, "/account/players/unlink": p.unlink,
		"/account/tokens/create": p.createToken, "/account/tokens/edit": p.editToken, "/account/tokens/delete": p.deleteToken,
		"/account/applications/create": p.createApplication, "/account/applications/rotate": p.rotateSecret, "/account/applications/delete": p.deleteApplication,
		"/account/grants/withdraw": p.withdraw,
		authorize:                  p.decide,
	}
	return p, nil
}

// Serves tells whether a path is one of these pages.
func (p *Pages) Serves(path string) bool {
	return path == home || p.deeds[path] != nil
}

// show are the pages that can be opened.
func (p *Pages) show(path string) deed {
	switch path {
	case home:
		return p.account
	case signIn, signUp:
		return p.entrance
	case authorize:
		return p.consent
	}
	return nil
}

// ServeHTTP shows a page for GET and HEAD, and does what a form says for POST.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	door.Name(w, "page")
	setHeaders(w.Header())
	v := p.visit(w, r)
	shown, done := p.show(path), p.deeds[path]
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case reads && shown == nil || !reads && (done == nil || r.Method != http.MethodPost):
		w.Header().Set("Allow", allowed(shown, done))
		v.problem(http.StatusMethodNotAllowed, "This address cannot be opened like that.")
		return
	case !p.admit(v):
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), p.o.Timeout)
	defer cancel()
	if reads {
		shown(ctx, v)
	} else if v.readForm() {
		done(ctx, v)
	}
}

func allowed(shown, done deed) string {
	switch {
	case shown == nil:
		return "POST"
	case done == nil:
		return "GET, HEAD"
	}
	return "GET, HEAD, POST"
}
