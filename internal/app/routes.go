package app

import (
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/auth/oauth"
	"gamedata/internal/config"
	"gamedata/internal/events/eventshttp"
	"gamedata/internal/events/stream"
	"gamedata/internal/feed/feedhttp"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
	"gamedata/internal/mcp"
	"gamedata/internal/publicdump"
	"gamedata/internal/web"
	"gamedata/internal/web/account"
	"gamedata/internal/web/apidocs"
	"gamedata/internal/web/site"
	"gamedata/loaders"
	"gamedata/rest"
)

// addressFields are root fields whose result depends on the client's address.
var addressFields = []string{"whoami", "playerLocations"}

// routes registers the handlers of a service.
type routes struct {
	*Service
	c                     *config.Service
	d                     Dependencies
	exec                  *graph.Executor
	ops                   map[string]*rest.Operation
	origin                string
	router                *mux.Router
	checkHost, middleware func(http.Handler) http.Handler
}

// handler builds the handlers and registers their routes.
func (s *Service) handler(c *config.Service, d Dependencies, exec *graph.Executor, source *loaders.Source,
	limiter *loadshed.Limiter,
) (http.Handler, error) {
	origin, err := c.Origin(d.URL)
	if err != nil {
		return nil, err
	}
	ops := rest.Load(exec.Schema())
	r := &routes{
		Service: s, c: c, d: d, exec: exec, ops: ops, origin: origin,
		// Match paths as sent, without decoding, cleaning or redirects.
		router:    mux.NewRouter().UseEncodedPath().SkipClean(true),
		checkHost: func(next http.Handler) http.Handler { return next },
	}
	if names, all := c.Hosts(); !all {
		r.checkHost = s.api.CheckHost(httpapi.AllowedHost(names))
	}
	r.middleware = func(next http.Handler) http.Handler {
		return r.checkHost(d.instrumentation.tracer.Handler(s.api.Middleware(next)))
	}
	applications := oauth.New(s.api, d.Accounts, oauth.Options{Timeout: c.RequestTimeout, Log: d.Log})
	described := apidocs.New(s.api, exec, ops, apidocs.Options{Origin: origin, Log: d.Log})
	described.Register(r.router, r.middleware) // /docs…, /v3/openapi.json, /schema.graphqls, …
	v3, err := rest.New(s.api, exec, ops, rest.Options{
		Log: d.Log, AddressFields: addressFields, Exchange: http.HandlerFunc(applications.Token), Middleware: r.middleware,
	})
	if err != nil {
		return nil, err
	}
	v3.Register(r.router)
	updates := stream.NewSource(s.api, s.events, visibleEvents(source), d.Log)
	graphQL := r.addGraphQL(v3, updates, limiter)
	r.router.Handle(feedhttp.Path, r.middleware(s.feedHandler(c, d)))
	r.router.Handle(eventshttp.Path, r.middleware(eventshttp.New(s.api, updates)))
	r.router.Handle("/livez", readOnly(http.HandlerFunc(live)))
	r.router.Handle("/readyz", readOnly(s.ready))
	r.addDumps()
	web.Register(r.router, documentedPaths(ops), d.clock.String(), r.checkHost) // console, assets
	if err := r.addAccounts(applications); err != nil {
		return nil, err
	}
	r.addPages(described.Paths)
	other := v3.SkipRouting(r.router)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI == graphqlhttp.Path { // the most frequent path: routing takes 5 % of a cached request
			graphQL.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	}), nil
}

// addGraphQL registers /graphql and /mcp, and returns the handler of /graphql.
func (r *routes) addGraphQL(v3 *rest.Handler, updates *stream.Source, limiter *loadshed.Limiter) http.Handler {
	graphQL := graphqlhttp.New(r.api, r.exec, graphqlhttp.Options{
		AddressFields: addressFields, CounterFields: []string{"rateLimit"}, Documents: rest.Documents(r.ops),
		Limiter: limiter, Authenticator: r.d.Accounts.Credentials, Events: updates,
		Generation: r.caches.purges.Generation, Timeout: r.c.RequestTimeout, Log: r.d.Log,
	})
	models := mcp.New(r.api, r.exec, r.ops, v3, r.middleware(graphQL.Queries()))
	consoleOrGraphQL := r.middleware(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if opensGraphQL(req) {
			openConsole(w, req)
			return
		}
		graphQL.ServeHTTP(w, req)
	}))
	r.router.Handle(graphqlhttp.Path, consoleOrGraphQL)
	r.router.Handle(mcp.Path, r.middleware(models))
	return consoleOrGraphQL
}

// addDumps registers the public dumps, if any.
func (r *routes) addDumps() {
	if r.c.DumpsDir == "" {
		return
	}
	index := publicdump.Index(r.api, r.c.DumpsDir, r.d.Log)
	r.router.Path(publicdump.Path).Methods(http.MethodGet, http.MethodHead).MatcherFunc(prefersHTML).
		Handler(r.middleware(index))
	files := publicdump.Handler(r.api, r.c.DumpsDir, r.d.Log)
	r.router.PathPrefix(publicdump.Path).Handler(r.middleware(files))
}

// addAccounts registers /account… and the endpoints of OAuth.
func (r *routes) addAccounts(applications *oauth.Endpoint) error {
	metadata, err := applications.Metadata(r.origin)
	if err != nil {
		return err
	}
	people := account.New(r.api, r.exec, r.d.Accounts, account.Options{
		Throttle: r.d.Counters, Timeout: r.c.RequestTimeout, Now: r.d.gameNow, Log: r.d.Log,
	})
	r.router.Handle(oauth.MetadataPath, r.middleware(metadata))
	r.router.Handle(oauth.RevokePath, r.middleware(http.HandlerFunc(applications.Revoke)))
	people.Register(r.router, r.middleware)
	return nil
}

// addPages registers the pages of the site: /, /players/{username}, …
func (r *routes) addPages(documented func() []string) {
	pages := site.New(r.api, r.exec, site.Options{
		Origin: r.origin, Now: r.d.gameNow, Clock: r.d.clock.String(), Log: r.d.Log, Documented: documented,
	})
	pages.Register(r.router, r.middleware)
	r.router.NotFoundHandler = r.middleware(http.HandlerFunc(pages.NotFound))
}

// opensGraphQL reports whether a browser opens /graphql without a query.
func opensGraphQL(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.RawQuery == "" && httpapi.PrefersHTML(r.Header)
}

func prefersHTML(r *http.Request, _ *mux.RouteMatch) bool { return httpapi.PrefersHTML(r.Header) }

// openConsole redirects to the console.
func openConsole(w http.ResponseWriter, r *http.Request) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, graphqlhttp.Path, "console")
	httpapi.VaryByAccept(w.Header())
	http.Redirect(w, r, web.ConsolePath, http.StatusSeeOther)
}

// documentedPaths returns the REST endpoints with their operations, for the console.
func documentedPaths(ops map[string]*rest.Operation) []web.Endpoint {
	var paths []web.Endpoint
	for _, row := range rest.Rows {
		if op := ops[row.Operation]; op != nil {
			paths = append(paths, web.Endpoint{
				Method: row.Method, Path: rest.Prefix + row.Path, Operation: row.Operation, Document: op.Document(),
			})
		}
	}
	return paths
}

// readOnly rejects methods other than GET and HEAD.
func readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Method not allowed.", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, "ok\n")
}
