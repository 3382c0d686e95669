package app

import (
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/auth/oauth"
	"gamedata/internal/config"
	eventshttp "gamedata/internal/events/http"
	"gamedata/internal/events/stream"
	feedhttp "gamedata/internal/feed/http"
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

// handler builds the handlers and registers their routes.
func (s *Service) handler(c *config.Service, d Dependencies, exec *graph.Executor, source *loaders.Source,
	limiter *loadshed.Limiter,
) (http.Handler, error) {
	origin, err := c.Origin(d.URL)
	if err != nil {
		return nil, err
	}
	applications := oauth.New(s.api, d.Accounts, oauth.Options{Timeout: c.RequestTimeout, Log: d.Log})
	metadata, err := applications.Metadata(origin)
	if err != nil {
		return nil, err
	}
	people, err := account.New(s.api, exec, d.Accounts, account.Options{
		Throttle: d.Counters, Timeout: c.RequestTimeout, Log: d.Log,
	})
	if err != nil {
		return nil, err
	}
	checkHost := func(next http.Handler) http.Handler { return next }
	if names, all := c.Hosts(); !all {
		checkHost = s.api.CheckHost(httpapi.AllowedHost(names))
	}
	middleware := func(next http.Handler) http.Handler {
		return checkHost(d.instrumentation.tracer.Handler(s.api.Middleware(next)))
	}
	ops, err := rest.Load(exec.Schema())
	if err != nil {
		return nil, err
	}
	v3, err := rest.New(s.api, exec, ops, rest.Options{
		Log: d.Log, AddressFields: addressFields, Exchange: http.HandlerFunc(applications.Token), Middleware: middleware,
	})
	if err != nil {
		return nil, err
	}
	described, err := apidocs.New(s.api, exec, ops, apidocs.Options{Origin: origin, Log: d.Log})
	if err != nil {
		return nil, err
	}
	pages, err := site.New(s.api, exec, site.Options{Origin: origin, Now: d.Now, Log: d.Log, Documented: described.Paths})
	if err != nil {
		return nil, err
	}
	updates := stream.NewSource(s.api, s.events, visibleEvents(source), d.Log)
	graphQL := graphqlhttp.New(s.api, exec, graphqlhttp.Options{
		AddressFields: addressFields, CounterFields: []string{"rateLimit"}, Documents: rest.Documents(ops),
		Limiter: limiter, Authenticator: d.Accounts.Credentials, Events: updates,
		Generation: s.caches.purges.Generation, Timeout: c.RequestTimeout, Log: d.Log,
	})
	models, err := mcp.New(s.api, exec, ops, v3, middleware(graphQL.Queries()))
	if err != nil {
		return nil, err
	}
	// Match paths as sent, without decoding, cleaning or redirects.
	router := mux.NewRouter().UseEncodedPath().SkipClean(true)
	consoleOrGraphQL := middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if opensGraphQL(r) {
			openConsole(w, r)
			return
		}
		graphQL.ServeHTTP(w, r)
	}))
	router.Handle(graphqlhttp.Path, consoleOrGraphQL)
	router.Handle(mcp.Path, middleware(models))
	described.Register(router, middleware) // /docs…, /v3/openapi.json, /schema.graphqls, …
	v3.Register(router)
	router.Handle(feedhttp.Path, middleware(s.feedHandler(c, d)))
	router.Handle(eventshttp.Path, middleware(eventshttp.New(s.api, updates)))
	if c.DumpsDir != "" {
		index, err := publicdump.Index(s.api, c.DumpsDir, d.Log)
		if err != nil {
			return nil, err
		}
		router.Path(publicdump.Path).Methods(http.MethodGet, http.MethodHead).MatcherFunc(prefersHTML).
			Handler(middleware(index))
		router.PathPrefix(publicdump.Path).Handler(middleware(publicdump.Handler(s.api, c.DumpsDir, d.Log)))
	}
	router.Handle("/livez", readOnly(http.HandlerFunc(live)))
	router.Handle("/readyz", readOnly(s.ready))
	if err := web.Register(router, documentedPaths(ops), checkHost); err != nil { // console, /docs, assets
		return nil, err
	}
	router.Handle(oauth.MetadataPath, middleware(metadata))
	router.Handle(oauth.RevokePath, middleware(http.HandlerFunc(applications.Revoke)))
	people.Register(router, middleware) // /account…, /oauth/authorize
	pages.Register(router, middleware)  // /, /players/{username}, …
	router.NotFoundHandler = middleware(http.HandlerFunc(pages.NotFound))
	rest := v3.SkipRouting(router)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI == graphqlhttp.Path { // the most frequent path: routing takes 5 % of a cached request
			consoleOrGraphQL.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	}), nil
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
