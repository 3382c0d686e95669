// Package account serves the pages with which people use their account: sign-up and sign-in, linked
// players, API tokens, applications and what they were granted, and the consent page of OAuth2.
// Pages are rendered on the server and work without scripts; the only script adds copy buttons.
//
// A form runs an operation on the executor, which programs can run too: this package reads forms,
// protects them against other sites, and shows the result.
package account

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/internal/web"
)

//go:embed html operations copy.js
var files embed.FS

// Paths.
const (
	accountPath   = "/account"
	signInPath    = "/account/sign-in"
	signUpPath    = "/account/sign-up"
	previewPath   = "/account/preview"
	scriptPath    = "/account/copy.js"
	authorizePath = "/oauth/authorize"
)

// Options of Pages.
type Options struct {
	// Throttle counts attempts to sign in and up; counters of this process when nil.
	Throttle ratelimit.Counters
	// Timeout bounds one request; httpapi.DefaultTimeout when 0.
	Timeout time.Duration
	// Log takes errors that users do not see; slog.Default() when nil.
	Log *slog.Logger
}

// Pages serves the account pages, behind the middleware that authenticates callers.
type Pages struct {
	api        *httpapi.API
	accounts   *auth.Accounts
	exec       *graph.Executor
	o          Options
	templates  *web.Templates
	operations map[string]web.Operation
	csrf       *http.CrossOriginProtection
	views      map[string]handler // GET and HEAD, by path
	actions    map[string]handler // POST, by path
}

// handler answers one request. The context carries the viewer.
type handler func(ctx context.Context, q *request)

// New returns the pages of some accounts. Their forms run operations on the executor.
func New(api *httpapi.API, exec *graph.Executor, a *auth.Accounts, o Options) (*Pages, error) {
	if o.Throttle == nil {
		o.Throttle = ratelimit.New(ratelimit.Options{})
	}
	if o.Timeout == 0 {
		o.Timeout = httpapi.DefaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	templates, err := web.ParseTemplates(files)
	if err != nil {
		return nil, err
	}
	operations, err := web.LoadOperations(exec, files)
	if err != nil {
		return nil, err
	}
	p := &Pages{
		api: api, accounts: a, exec: exec, o: o, templates: templates, operations: operations,
		csrf: http.NewCrossOriginProtection(),
	}
	p.views = map[string]handler{
		accountPath: p.account, previewPath: p.preview, scriptPath: p.script,
		signInPath: p.signInPage, signUpPath: p.signInPage, authorizePath: p.consent,
	}
	p.actions = map[string]handler{
		signInPath: p.signIn, signUpPath: p.signUp, "/account/sign-out": p.signOut,
		"/account/password": p.changePassword, authorizePath: p.decide,
	}
	for _, a := range actions {
		p.actions[a.path] = a.run
	}
	return p, nil
}

// Register adds the pages to a router, behind middleware.
func (p *Pages) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	for path := range p.views {
		router.Handle(path, middleware(p))
	}
	for path := range p.actions {
		if p.views[path] == nil {
			router.Handle(path, middleware(p))
		}
	}
}

// ServeHTTP shows a page for GET and HEAD, and runs the action of a form for POST.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	httpapi.SetRoute(r.Context(), httpapi.APIOther, path, "page")
	httpapi.NoCORS(w.Header())
	web.SetPageHeaders(w.Header())
	q := p.newRequest(w, r)
	view, action := p.views[path], p.actions[path]
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case reads && view == nil || !reads && (action == nil || r.Method != http.MethodPost):
		w.Header().Set("Allow", allowedMethods(view, action))
		q.error(graph.ErrMethodNotAllowed)
		return
	case !q.admit():
		return
	}
	ctx, cancel := context.WithTimeout(viewer.With(r.Context(), q.viewer), p.o.Timeout)
	defer cancel()
	if reads {
		view(ctx, q)
	} else if q.readForm() {
		action(ctx, q)
	}
}

func allowedMethods(view, action handler) string {
	switch {
	case view == nil:
		return "POST"
	case action == nil:
		return "GET, HEAD"
	}
	return "GET, HEAD, POST"
}
