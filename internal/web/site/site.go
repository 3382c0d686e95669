// Package site serves the public pages about the game: the front page, players, guilds, items, leaderboards, the
// territory map and the search. Each page runs one fixed GraphQL operation with the caller's viewer, access rules and
// limits, is cached like every response, is rendered on the server and works without scripts.
//
// A page adds only texts, links and drawings to the result of its operation: resolvers, loaders and
// the store are not imported.
package site

import (
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

//go:embed html operations
var files embed.FS

// Options of a Site.
type Options struct {
	// Origin is the public address of the service, without a slash at its end, for examples and links.
	Origin string
	// Now returns the current time; time.Now when nil.
	Now func() time.Time
	// Log takes errors that users do not see; slog.Default() when nil.
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
	// operations are the operations of pages and charts, by name.
	operations map[string]web.Operation
}

// New returns the pages. It fails when an operation does not fit the schema or the limits, or a
// template cannot be parsed.
func New(api *httpapi.API, exec *graph.Executor, o Options) (*Site, error) {
	if o.Now == nil {
		o.Now = time.Now
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
	s := &Site{api: api, exec: exec, o: o, templates: templates, operations: operations}
	for _, r := range routes {
		p, err := newPage(exec, r, operations[r.operation])
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", r.path, err)
		}
		s.pages = append(s.pages, p)
		if p.path == newsPath {
			s.news = p
		}
	}
	// It may cost more than the limit of queries: one response an hour serves everyone.
	s.sitemapOp = operations["Sitemap"]
	if s.sitemapOp.Operation == nil {
		return nil, errors.New("operation Sitemap is missing")
	}
	return s, nil
}

// Register adds the pages, robots.txt, the sitemap and the feed of the news to a router, behind middleware.
func (s *Site) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	for _, p := range s.pages {
		router.Handle(p.path, middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.serve(w, r, p)
		})))
		for _, f := range cardFiles {
			if p.card != nil {
				router.Handle(p.path+f.suffix, middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					s.serveCard(w, r, p, f)
				})))
			}
		}
	}
	s.registerDocuments(router, middleware)
}

// NotFound writes the 404 of a path that nothing else serves: a page if the client prefers HTML.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) {
	if !httpapi.PrefersHTML(r.Header) {
		s.api.NotFound(w, r)
		return
	}
	httpapi.NoCORS(w.Header())
	if bad := web.Charge(s.api, w, r, map[string]int{httpapi.Shared: 1}); bad != nil {
		s.send(w, r, s.errorResponse(bad))
		return
	}
	s.send(w, r, s.renderError(errorPage{Status: http.StatusNotFound, Text: "Page not found. Try a search:"}))
}

// serve serves GET and HEAD. Checks go in the order of all endpoints: method, rate limit,
// credential, parameters, lookup.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, p *page) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, p.path, p.op.Name)
	httpapi.NoCORS(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.send(w, r, s.errorResponse(graph.ErrMethodNotAllowed))
		return
	}
	if bad := web.Admit(s.api, w, r, p.costs); bad != nil {
		s.send(w, r, s.errorResponse(bad))
		return
	}
	req, bad := p.bind(s.o.Now(), pathVariables(mux.Vars(r)), r.URL.RawQuery)
	if bad != nil {
		s.send(w, r, s.renderError(p.errorPage(bad)))
		return
	}
	s.api.Cache.Serve(w, r, s.cacheRequest(p, req), s.run(p, req, p.op.Policy.Scope, s.respond))
}
