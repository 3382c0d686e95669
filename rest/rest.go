// Package rest serves legacy clients: every documented endpoint under /v3 runs one fixed GraphQL operation on the
// shared executor and transforms its result into the documented body. Endpoints differ only in routes.go and
// operations/; none needs Go code. The package must not import resolvers, loaders or the store.
package rest

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/gorilla/mux"
	lru "github.com/hashicorp/golang-lru/v2"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Prefix is the version segment that every path begins with.
const Prefix = "/v3"

// Options of New.
type Options struct {
	// Log is slog.Default() when nil.
	Log *slog.Logger
	// AddressFields lists the root fields whose result depends on the client's address. Responses of their endpoints
	// carry no CORS headers.
	AddressFields []string
	// Exchange serves the row without an operation; if nil, its path is unknown.
	Exchange http.Handler
	// Middleware wraps every endpoint and must include API.Middleware, which is the default.
	Middleware func(http.Handler) http.Handler
}

// Handler serves the endpoints.
type Handler struct {
	api       *httpapi.API
	exec      *graph.Executor
	o         Options
	endpoints map[string]*endpoint         // by path
	requests  *lru.Cache[string, *request] // bound requests by URI
	routes    *mux.Router                  // of the endpoints
	handler   http.Handler                 // of every path under Prefix, behind the middleware
}

// New returns the endpoints under /v3, for the operations of Load.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*Operation, o Options) (*Handler, error) {
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Exchange == nil {
		o.Exchange = http.HandlerFunc(api.NotFound)
	}
	if o.Middleware == nil {
		o.Middleware = api.Middleware
	}
	requests, _ := lru.New[string, *request](maxRequests) // fails only for a size below 1
	h := &Handler{api: api, exec: exec, o: o, requests: requests, endpoints: map[string]*endpoint{}}
	fields := map[string]bool{}
	for _, row := range Rows {
		if row.Operation == "" {
			continue
		}
		e := newEndpoint(h, row, ops[row.Operation])
		h.endpoints[row.Path], fields[e.op.RootField()] = e, true
	}
	for _, name := range o.AddressFields {
		if !fields[name] {
			return nil, fmt.Errorf("AddressFields: no endpoint has the root field %s", name)
		}
	}
	h.routes = newRouter(func(row Row) http.Handler { return h.serveRow(row) })
	h.routes.NotFoundHandler = http.HandlerFunc(h.notFound)
	h.handler = o.Middleware(http.HandlerFunc(h.serve))
	return h, nil
}

// Documents maps the SHA-256 of each operation's document to the document, for clients that send the hash only.
func Documents(ops map[string]*Operation) map[string]string {
	out := make(map[string]string, len(ops))
	for _, op := range ops {
		out[op.Hash()] = op.Document()
	}
	return out
}

// Register adds the endpoints to a router. Unknown paths under Prefix get the documented 404.
func (h *Handler) Register(router *mux.Router) { router.PathPrefix(Prefix + "/").Handler(h.handler) }

func (h *Handler) serve(w http.ResponseWriter, r *http.Request) {
	if q, repeated := h.requests.Get(r.RequestURI); repeated {
		q.ServeHTTP(w, r)
		return
	}
	h.routes.ServeHTTP(w, r)
}

func (h *Handler) serveRow(row Row) http.HandlerFunc {
	e := h.endpoints[row.Path]
	return func(w http.ResponseWriter, r *http.Request) {
		if e == nil {
			w.Header()[linkHeader] = linkOf(r)
			h.o.Exchange.ServeHTTP(w, r)
			return
		}
		q := &request{endpoint: e, vars: pathVariables(mux.Vars(r)), link: linkOf(r)}
		q.ServeHTTP(w, r)
	}
}

func (h *Handler) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header()[linkHeader] = describedBy
	h.api.NotFound(w, r)
}

// Call returns a handler that serves a row with the given path variables, whatever path a request names. The row must
// have an operation.
func (h *Handler) Call(row Row, path map[string]string) http.Handler {
	vars := make(map[string]any, len(path))
	for name, value := range path {
		vars[name] = decoded(value, nil)
	}
	return h.o.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{endpoint: h.endpoints[row.Path], vars: vars, link: linkOf(r)}
		q.ServeHTTP(w, r)
	}))
}

// SkipRouting returns a handler that serves repeated requests directly and passes other requests to the router.
func (h *Handler) SkipRouting(router http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.requests.Contains(r.RequestURI) {
			h.handler.ServeHTTP(w, r)
			return
		}
		router.ServeHTTP(w, r)
	})
}
