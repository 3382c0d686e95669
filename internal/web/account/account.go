// Package account serves the pages on which people manage their account: sign-up and sign-in, linked players, API
// tokens, applications with their grants, and the consent page of OAuth2. Pages are rendered on the server and work
// without scripts; the only script adds copy buttons.
//
// A form runs an operation on the executor that programs can also run: this package reads forms, protects them against
// other sites, and shows the result.
package account

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/internal/web"
)

//go:embed html operations
var files embed.FS

// Paths.
const (
	accountPath   = "/account"
	signInPath    = "/account/sign-in"
	signUpPath    = "/account/sign-up"
	signOutPath   = "/account/sign-out"
	securityPath  = "/account/security"
	rulesPath     = "/account/players/rules"
	deletePath    = "/account/security/delete"
	newTokenPath  = "/account/tokens/create"
	rotatePath    = "/account/applications/rotate"
	authorizePath = "/oauth/authorize"
)

// Options of Pages.
type Options struct {
	// Throttle counts attempts to sign in and up.
	Throttle ratelimit.Counters
	// Timeout bounds one request.
	Timeout time.Duration
	// Now returns the time of the game.
	Now func() time.Time
	// Log receives errors that users do not see.
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
}

// route is a page: view serves GET and HEAD, action handles its form, nil if it has none.
type route struct {
	path         string
	view, action handler
}

// open reports whether a page is also served without a session. The consent page redirects to the sign-in itself.
func (r route) open() bool {
	return slices.Contains([]string{signInPath, signUpPath, signOutPath, authorizePath}, r.path)
}

// handler answers one request. The context carries the viewer.
type handler func(ctx context.Context, q *request)

func (p *Pages) routes() []route {
	routes := []route{
		{signInPath, p.signInPage, p.signIn},
		{signUpPath, p.signInPage, p.signUp},
		{signOutPath, p.back, p.signOut},
		{"/account/security/password", p.back, p.updatePassword},
		{deletePath, p.confirm, p.deleteAccount},
		{"/account/sessions/end", p.back, p.form("DeleteSession", "session-ended")},
		{"/account/sessions/end-others", p.confirm, p.form("DeleteOtherSessions", "sessions-ended")},
		{"/account/players/link", p.back, p.form("LinkPlayer", "linked")},
		{"/account/players/unlink", p.confirm, p.form("UnlinkPlayer", "unlinked")},
		{rulesPath, p.rules, p.setRules},
		{newTokenPath, p.back, p.createToken},
		{"/account/tokens/edit", p.back, p.form("UpdateToken", "token-edited")},
		{"/account/tokens/delete", p.confirm, p.form("DeleteToken", "token-deleted")},
		{"/account/applications/create", p.back, p.form("CreateApplication", "")},
		{"/account/applications/edit", p.back, p.form("UpdateApplication", "application-edited")},
		{rotatePath, p.confirm, p.form("RotateSecret", "")},
		{"/account/applications/delete", p.confirm, p.form("DeleteApplication", "application-deleted")},
		{"/account/webhooks/create", p.back, p.createWebhook},
		{"/account/webhooks/test", p.back, p.testWebhook},
		{"/account/webhooks/update", p.back, p.form("UpdateWebhook", "webhook-changed")},
		{"/account/webhooks/delete", p.confirm, p.form("DeleteWebhook", "webhook-deleted")},
		{"/account/competitions/create", p.back, p.createCompetition},
		{"/account/competitions/delete", p.confirm, p.form("DeleteCompetition", "competition-deleted")},
		{"/account/access/revoke", p.confirm, p.form("RevokeGrant", "revoked")},
		{authorizePath, p.consent, p.decide},
	}
	for _, s := range sections {
		routes = append(routes, route{path: s.Path, view: p.section})
	}
	return routes
}

// New returns the pages of some accounts. Their forms run operations on the executor.
func New(api *httpapi.API, exec *graph.Executor, a *auth.Accounts, o Options) *Pages {
	return &Pages{
		api: api, accounts: a, exec: exec, o: o, csrf: http.NewCrossOriginProtection(),
		templates: web.ParseTemplates(files), operations: web.LoadOperations(exec, files),
	}
}

// Register adds the pages to a router, behind middleware.
func (p *Pages) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	for _, route := range p.routes() {
		router.Handle(route.path, middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.serve(w, r, route)
		})))
	}
}

func (p *Pages) serve(w http.ResponseWriter, r *http.Request, route route) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, route.path, "page")
	httpapi.NoCORS(w.Header())
	web.SetPageHeaders(w.Header())
	q := p.newRequest(w, r, route)
	handler, allow := route.view, "GET, HEAD"
	if r.Method == http.MethodPost {
		handler = route.action
	}
	if route.action != nil {
		allow += ", POST"
	}
	if handler == nil || r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		w.Header().Set("Allow", allow)
		q.error(graph.ErrMethodNotAllowed)
		return
	}
	if bad := web.Admit(p.api, w, r, q.cost()); bad != nil {
		q.error(bad)
		return
	}
	if r.Method == http.MethodPost && !q.readForm() {
		return
	}
	if q.expired {
		handler = route.view
	}
	if !route.open() && !q.requireSession(sectionOf(route.path).Path) {
		return
	}
	ctx, cancel := context.WithTimeout(viewer.With(r.Context(), q.viewer), p.o.Timeout)
	defer cancel()
	handler(ctx, q)
}

// cost returns the charge of a request. The form that creates a token is free, like its mutation.
func (q *request) cost() int {
	if q.route.path == newTokenPath && q.account != "" {
		return 0
	}
	return 1
}
