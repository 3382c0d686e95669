package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/auth/oauth"
	"gamedata/internal/httpapi"
	"gamedata/internal/telemetry"
	"gamedata/internal/web"
	"gamedata/internal/web/account"
	"gamedata/internal/web/apidocs"
	"gamedata/internal/web/site"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/resolvers"
	"gamedata/rest"
)

// service is the rooms wired together behind one HTTP server.
type service struct {
	server   *http.Server
	door     *httpapi.Door
	pause    func(time.Duration) // between failing readiness and refusing connections
	store    *mongo.Store
	caches   *caches
	counters *counting
	log      *slog.Logger
	metrics  *telemetry.Metrics // nil when nobody can read them
	stopUses func()             // counting uses; tells the store of the last ones
	ready    http.Handler       // whether requests should be sent here
	draining atomic.Bool
}

func newService(store *mongo.Store, f *serveFlags, watch watcher, users *auth.Accounts, counters *counting,
	origin string, proxies []netip.Prefix, log *slog.Logger,
) (*service, error) {
	caches, err := newCaches(int64(f.cacheSize), f.timeout, f.now)
	if err != nil {
		return nil, err
	}
	store.OnPurge(caches.purges.Purge)
	source := loaders.New(store, loaders.Options{Now: f.now, Log: log, Records: caches.records, Batch: watch.batch()})
	limits := f.queries.of(f.pageSize)
	var d *httpapi.Door
	root := resolvers.New(resolvers.Settings{
		PageSize: f.pageSize, Accounts: users, Limits: limits, MaxBody: int64(f.queries.maxBody),
		Counters: func(v viewer.Viewer, buckets []string) []graph.Counter { return d.Counters(v, buckets) },
	})
	exec, err := graph.New(graph.NewExecutableSchema(graph.Config{Resolvers: root}), graph.Options{
		Limits: limits,
		Attach: source.Attach, Allow: allow, Read: read, Field: watch.field(), Log: log,
	})
	if err != nil {
		return nil, err
	}
	gate := f.budget.gate()
	watch.states(store, counters, gate, caches)
	byAddress := []string{"whoami", "playerLocations"}
	d = httpapi.New(httpapi.Options{
		Exec: exec, Limiter: counters, Rates: f.rates.rates(), BucketRates: f.rates.buckets, TrustedProxies: proxies,
		AddressFields: byAddress, CounterFields: []string{"rateLimit"}, MaxBody: int64(f.queries.maxBody), Timeout: f.timeout,
		Log:         log,
		Credentials: users, Count: users.CountUsage, Answers: caches.answers, Now: f.now, Observe: watch.request(),
		Gate: gate, MaxAnswer: int(f.budget.maxAnswer),
	})
	applications := oauth.New(d, users, oauth.Options{Timeout: f.timeout, Log: log})
	metadata, err := applications.Metadata(origin)
	if err != nil {
		return nil, err
	}
	people, err := account.New(d, exec, users, account.Options{Throttle: counters, Timeout: f.timeout, Log: log})
	if err != nil {
		return nil, err
	}
	ops, err := rest.Load(exec.Schema())
	if err != nil {
		return nil, err
	}
	v3, err := rest.New(d, exec, ops, rest.Options{Log: log, AddressFields: byAddress, Exchange: applications.Token})
	if err != nil {
		return nil, err
	}
	around, err := site.New(d, exec, site.Options{Origin: origin, Now: f.now, Log: log})
	if err != nil {
		return nil, err
	}
	described, err := apidocs.New(d, exec, ops, log)
	if err != nil {
		return nil, err
	}
	front, err := web.Handler(documentedPaths(ops))
	if err != nil {
		return nil, err
	}
	s := &service{
		pause: time.Sleep, door: d, store: store, counters: counters, caches: caches, log: log,
		metrics: watch.metrics, stopUses: users.StartUsageFlusher(),
	}
	s.ready = telemetry.HealthHandler(s.checks(f))
	hosts := f.hosts.names(f.publicURL)
	s.server = httpapi.Server("", s.routes(d.Hosts(hosts, front), d.Hosts(hosts, watch.tracer.Handler(d.Middleware(doors(d,
		v3, metadata, people, described, around))))))
	return s, nil
}

// close ends what the service started by itself. The server must be shut down.
func (s *service) close() {
	s.stopUses()
	s.caches.close()
}

// doors sends a request to the door its path begins with. The paths stay as they were sent:
// nothing is cleaned or redirected.
func doors(d *httpapi.Door, v3, metadata http.Handler, people *account.Pages, described *apidocs.Docs,
	around *site.Site,
) http.Handler {
	graphQL := d.GraphQL()
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

// routes puts health and the pages for people before the doors.
func (s *service) routes(pages, doors http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/livez":
			s.live(w, r)
		case path == "/readyz":
			s.ready.ServeHTTP(w, r)
		case web.Serves(path):
			pages.ServeHTTP(w, r)
		default:
			doors.ServeHTTP(w, r)
		}
	})
}

// live tells that the program runs, whatever else does not.
func (s *service) live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Frame-Options", "DENY")
	_, _ = io.WriteString(w, "ok\n")
}
