package app

import (
	"io"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/internal/auth/oauth"
	"gamedata/internal/config"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/loadshed"
	"gamedata/internal/web"
	"gamedata/internal/web/account"
	"gamedata/internal/web/apidocs"
	"gamedata/internal/web/site"
	"gamedata/rest"
)

// addressFields are root fields whose result depends on the client's address.
var addressFields = []string{"whoami", "playerLocations"}

// handler builds the handlers and routes requests to them.
func (s *Service) handler(c *config.Service, d Dependencies, exec *graph.Executor, limiter *loadshed.Limiter) (
	http.Handler, error,
) {
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
	ops, err := rest.Load(exec.Schema())
	if err != nil {
		return nil, err
	}
	v3, err := rest.New(s.api, exec, ops, rest.Options{
		Log: d.Log, AddressFields: addressFields, Exchange: applications.Token,
	})
	if err != nil {
		return nil, err
	}
	around, err := site.New(s.api, exec, site.Options{Origin: origin, Now: d.Now, Log: d.Log})
	if err != nil {
		return nil, err
	}
	described, err := apidocs.New(s.api, exec, ops, d.Log)
	if err != nil {
		return nil, err
	}
	front, err := web.Handler(documentedPaths(ops))
	if err != nil {
		return nil, err
	}
	graphQL := graphqlhttp.New(s.api, exec, graphqlhttp.Options{
		AddressFields: addressFields, CounterFields: []string{"rateLimit"}, Documents: rest.Documents(ops),
		Limiter: limiter, Authenticator: d.Accounts, Log: d.Log,
	})
	checkHost := s.api.CheckHost(c.Hosts())
	api := d.instrumentation.tracer.Handler(s.api.Middleware(apis(graphQL, v3, metadata, people, described, around)))
	return s.routes(checkHost(front), checkHost(api)), nil
}

// apis routes a request by its path. Paths stay as they were sent: nothing is cleaned or redirected.
func apis(graphQL, v3, metadata http.Handler, people *account.Pages, described *apidocs.Docs,
	around *site.Site,
) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.EscapedPath(); {
		case path == "/graphql":
			graphQL.ServeHTTP(w, r)
		case described.Serves(path):
			described.ServeHTTP(w, r)
		case strings.HasPrefix(path, rest.Prefix+"/"):
			v3.ServeHTTP(w, r)
		case path == oauth.MetadataPath:
			metadata.ServeHTTP(w, r)
		case people.Serves(path):
			people.ServeHTTP(w, r)
		case around.Serves(path):
			around.ServeHTTP(w, r)
		default:
			around.NotFound(w, r)
		}
	})
}

// documentedPaths returns the REST endpoints with their operations, for the console.
func documentedPaths(ops map[string]*rest.Operation) []web.Endpoint {
	var paths []web.Endpoint
	for _, row := range rest.Rows {
		if op := ops[row.Operation]; op != nil {
			paths = append(paths, web.Endpoint{
				Method: row.Method, Path: rest.Prefix + row.Path, Operation: row.Operation,
				Document: op.Document(),
			})
		}
	}
	return paths
}

// routes puts health and the static pages before everything else.
func (s *Service) routes(pages, doors http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/livez":
			live(w, r)
		case path == "/readyz":
			s.ready.ServeHTTP(w, r)
		case web.Serves(path):
			pages.ServeHTTP(w, r)
		default:
			doors.ServeHTTP(w, r)
		}
	})
}

// live reports that the program runs.
func live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Frame-Options", "DENY")
	_, _ = io.WriteString(w, "ok\n")
}
