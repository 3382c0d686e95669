// Package site serves the public pages about the game: the front page, players, guilds, items, leaderboards, the
// territory map and the search. Each page runs one fixed GraphQL operation with the caller's viewer, access rules and
// limits, is cached like every response, is rendered on the server and works without scripts.
//
// A page adds only texts, links and drawings to the result of its operation; it imports no resolvers, loaders or store.
package site

import (
	"cmp"
	"embed"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

//go:embed html operations icons.json
var files embed.FS

// Options of a Site.
type Options struct {
	// Origin is the public address of the service, without a slash at its end, for examples and links.
	Origin string
	// Now returns the time of the game; time.Now when nil. Clock describes it as web.Layout does.
	Now   func() time.Time
	Clock string
	// Log receives errors that users do not see; slog.Default() when nil.
	Log *slog.Logger
	// Documented returns the paths of the documentation, for the sitemap; nil means none.
	Documented func() []string
}

// Site serves the pages, behind the middleware that authenticates callers.
type Site struct {
	api       *httpapi.API
	exec      *graph.Executor
	o         Options
	templates *web.Templates
	pages     []*page // in the order of routes
	news      *page
	sitemapOp web.Operation
	// operations holds the operations of pages and charts, by name.
	operations map[string]web.Operation
}

// New returns the pages.
func New(api *httpapi.API, exec *graph.Executor, o Options) *Site {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	operations := web.LoadOperations(exec, files)
	s := &Site{api: api, exec: exec, o: o, templates: web.ParseTemplates(files), operations: operations}
	for _, r := range routes {
		p := newPage(exec, r, operations[r.operation])
		s.pages = append(s.pages, p)
		if p.path == newsPath {
			s.news = p
		}
	}
	// It may exceed the cost limit of queries: one response an hour serves everyone.
	s.sitemapOp = operations["Sitemap"]
	return s
}

// allow lists the methods of pages.
const allow = "GET, HEAD"

// form is a way to show a page: in full, or in short form for another site.
type form struct {
	suffix  string // of the page's path
	cost    int
	respond responder
}

// Register adds the pages, robots.txt, the sitemap and the feed of the news to a router, behind middleware.
func (s *Site) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	for _, p := range s.pages {
		forms := []form{{"", 1, s.respond}}
		if p.card {
			forms = append(forms, s.cardForms()...)
		}
		for _, f := range forms {
			path := strings.TrimSuffix(p.path, "/") + f.suffix
			router.Handle(cmp.Or(path, "/"), middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				s.serve(w, r, p, f)
			})))
		}
	}
	s.registerDocuments(router, middleware)
}

// NotFound writes the 404 response for an unknown path: a page if the client prefers HTML.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) {
	if !httpapi.PrefersHTML(r.Header) {
		s.api.NotFound(w, r)
		return
	}
	httpapi.NoCORS(w.Header())
	if bad := web.Charge(s.api, w, r, 1); bad != nil {
		s.send(w, r, s.errorResponse(bad))
		return
	}
	s.send(w, r, s.renderError(errorWith(graph.ErrNotFound, "", "There is no page at this address. Try a search:")))
}

// serve serves GET and HEAD. Cached pages cost nothing. Short forms for other sites, and their errors, are rendered for
// a guest and without the page's parameters, except the week.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, p *page, f form) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, p.path+f.suffix, p.op.Name)
	httpapi.NoCORS(w.Header())
	short, query := f.suffix != "", r.URL.RawQuery
	if short {
		query = url.Values{weekParameter: r.URL.Query()[weekParameter]}.Encode()
	}
	req, bad := request{}, graph.ErrMethodNotAllowed
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		req, bad = s.bind(w, r, p, query)
	} else {
		w.Header().Set("Allow", allow)
	}
	fail := s.errorResponse
	if short {
		fail = func(e *graph.Error) httpapi.Response {
			c := &renderContext{request: req, site: s, page: p}
			c.Address = s.o.Origin + strings.TrimSuffix(r.URL.EscapedPath(), f.suffix)
			return f.respond(c, newErrorPage(e))
		}
	}
	switch {
	case bad != nil && short:
		s.send(w, r, fail(bad))
		return
	case bad != nil:
		s.send(w, r, s.renderError(s.addHints(r.Context(), p, newErrorPage(bad), request{}, nil)))
		return
	case !short && p.list.path != "" && !slices.Contains(p.params, daysParameter) && // the format of a chart
		r.URL.Query().Get(formatParameter) == csvFormat:
		c := &renderContext{request: req, page: p}
		http.Redirect(w, r, c.CSV(), http.StatusSeeOther)
		return
	}
	q := s.cacheRequest(w, r, p, req, f.cost)
	q.ErrorResponse = fail
	if short {
		q.Key, q.Scope = f.suffix+" "+q.Key, graph.Shared // a shared response is rendered for a guest
	}
	s.api.Cache.Serve(w, r, q, s.run(p, req, q.Scope, f.respond))
}

// bind checks the credential and the address of a page. A request with an error costs 1; others are charged after the
// cache lookup.
func (s *Site) bind(w http.ResponseWriter, r *http.Request, p *page, query string) (request, *graph.Error) {
	bad := httpapi.CredentialError(r.Context())
	var req request
	if bad == nil {
		req, bad = p.bind(s.o.Now(), pathVariables(mux.Vars(r)), query)
	}
	if bad == nil {
		return req, nil
	}
	if limited := web.Charge(s.api, w, r, 1); limited != nil {
		bad = limited
	}
	return request{}, bad
}
