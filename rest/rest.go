// Package rest serves legacy clients: every documented endpoint under /v3 runs one fixed GraphQL
// operation on the shared executor and transforms its result into the documented body. Endpoints
// differ only in routes.go and operations/; none has Go code of its own. The package must not import
// resolvers, loaders or the store.
package rest

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"

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
	// AddressFields are the root fields whose result depends on the client's address. Responses of
	// their endpoints carry no CORS headers.
	AddressFields []string
	// Exchange serves the row without an operation; when nil the path is unknown.
	Exchange http.Handler
}

// New returns the endpoints under /v3, for the operations of Load.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*Operation, o Options) (*Handler, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	for _, name := range o.AddressFields {
		if !slices.ContainsFunc(slices.Collect(maps.Values(ops)),
			func(op *Operation) bool { return op.RootField() == name }) {
			return nil, fmt.Errorf("AddressFields: no endpoint has the root field %s", name)
		}
	}
	requests, err := lru.New[string, *request](maxRequests)
	if err != nil {
		return nil, err
	}
	h := &Handler{api: api, exchange: o.Exchange, requests: requests, endpoints: map[string]*endpoint{}}
	if h.exchange == nil {
		h.exchange = http.HandlerFunc(api.NotFound)
	}
	for _, row := range Rows {
		if row.Operation == "" {
			continue
		}
		op := ops[row.Operation]
		prepared, err := exec.Prepare(op.Query())
		if err != nil {
			return nil, fmt.Errorf("operation %s: %w", op.Name, err)
		}
		prepared.Source = httpapi.SourceREST
		policy, ok := exec.FieldPolicy(op.RootField())
		if !ok {
			return nil, fmt.Errorf("operation %s: its root field has no policy", op.Name)
		}
		h.endpoints[row.Path] = &endpoint{
			row: row, path: Prefix + row.Path, op: op, prepared: prepared, policy: policy, api: api, exec: exec,
			log: o.Log, link: fixedLink(row), byAddress: slices.Contains(o.AddressFields, op.RootField()), requests: requests,
		}
	}
	return h, nil
}

// Documents returns the documents of operations by their SHA-256, for clients that name them.
func Documents(ops map[string]*Operation) map[string]string {
	out := make(map[string]string, len(ops))
	for _, op := range ops {
		out[op.Hash()] = op.Document()
	}
	return out
}

// Handler serves the endpoints.
type Handler struct {
	api       *httpapi.API
	exchange  http.Handler
	endpoints map[string]*endpoint // by path
	requests  *lru.Cache[string, *request]
}

// Register adds the endpoints to a router, each behind middleware. Unknown paths under Prefix get the
// documented 404.
func (h *Handler) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	v3 := register(router, func(row Row) http.Handler {
		if row.Operation == "" {
			return middleware(withLink(row, h.exchange))
		}
		e := h.endpoints[row.Path]
		e.middleware = middleware
		return middleware(e)
	})
	v3.NotFoundHandler = middleware(http.HandlerFunc(h.notFound))
}

// SkipRouting returns a handler that serves URIs which were bound before without routing and binding
// them again; other requests go to the router.
func (h *Handler) SkipRouting(router http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if q, ok := h.requests.Get(r.RequestURI); ok {
			q.handler.ServeHTTP(w, r)
			return
		}
		router.ServeHTTP(w, r)
	})
}

func (h *Handler) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header()[linkHeader] = describedBy
	h.api.NotFound(w, r)
}

// withLink adds the link to the explanation of a row.
func withLink(row Row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()[linkHeader] = linkOf(r, fixedLink(row))
		next.ServeHTTP(w, r)
	})
}
