// Package account is what people open to use their account: signing up and in, linked players,
// API tokens, applications and what they were granted, and the page where a user agrees to an
// application (SPEC §5, WIRE §5.2). Everything is rendered here and works without a script; the one there is
// adds a button that copies.
//
// What a form changes is an operation on the executor, which programs can send too: pages read
// forms, guard them against other sites, and show what came of it.
package account

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/internal/web"
)

const copyScript = "copy.js"

//go:embed html operations copy.js
var files embed.FS

// Paths.
const (
	home      = "/account"
	signIn    = "/account/sign-in"
	signUp    = "/account/sign-up"
	seenAs    = "/account/seen"
	copier    = "/account/copy.js"
	authorize = "/oauth/authorize"
)

// Options of Pages.
type Options struct {
	// Throttle counts tries to sign in and up; counters of this process when nil.
	Throttle ratelimit.Counters
	// Timeout bounds one request; httpapi.DefaultTimeout when 0.
	Timeout time.Duration
	// Log takes what people are not told; slog.Default() when nil.
	Log *slog.Logger
}

// Pages answers browsers. It stands behind the door's middleware, which tells who asks.
type Pages struct {
	door     *httpapi.Door
	accounts *auth.Accounts
	exec     *graph.Executor
	o        Options
	html     *template.Template
	throttle ratelimit.Counters
	deeds    map[string]deed

	operations map[string]*graph.Operation
}

// deed is what a form does.
type deed func(ctx context.Context, v *visit)

// New returns the pages of some accounts. What their forms change is changed by operations on
// the executor, the same that programs may send.
func New(d *httpapi.Door, exec *graph.Executor, a *auth.Accounts, o Options) (*Pages, error) {
	if o.Throttle == nil {
		o.Throttle = ratelimit.New(ratelimit.Options{})
	}
	if o.Timeout == 0 {
		o.Timeout = httpapi.DefaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	html, err := web.Templates(words, files)
	if err != nil {
		return nil, err
	}
	operations, err := loadOperations(exec)
	if err != nil {
		return nil, err
	}
	p := &Pages{door: d, accounts: a, exec: exec, o: o, html: html, throttle: o.Throttle, operations: operations}
	p.deeds = map[string]deed{
		signIn: p.doSignIn, signUp: p.doSignUp, "/account/sign-out": p.signOut,
		"/account/password": p.changePassword, authorize: p.decide,
	}
	for _, c := range changes {
		p.deeds[c.path] = c.do
	}
	return p, nil
}

// Serves tells whether a path is one of these pages.
func (p *Pages) Serves(path string) bool {
	return path == home || path == seenAs || path == copier || p.deeds[path] != nil
}

// show are the pages that can be opened.
func (p *Pages) show(path string) deed {
	switch path {
	case home:
		return p.account
	case seenAs:
		return p.seenAs
	case copier:
		return p.script
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
	httpapi.Name(w, httpapi.DoorOther, path, "page")
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
	ctx, cancel := context.WithTimeout(viewer.With(r.Context(), v.asker), p.o.Timeout)
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
