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
	Exchange http.HandlerFunc
}

// New returns the handler of everything under /v3, for the operations of Load.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*Operation, o Options) (http.Handler, error) {
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
	h := &handler{api: api, exchange: o.Exchange, requests: requests}
	if h.exchange == nil {
		h.exchange = api.NotFound
	}
	for _, row := range Rows {
		if row.Operation == "" {
			h.endpoints = append(h.endpoints, nil)
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
		h.endpoints = append(h.endpoints, &endpoint{
			row: row, path: Prefix + row.Path, op: op, prepared: prepared, policy: policy, api: api, exec: exec,
			log: o.Log, link: linkTo(row), byAddress: slices.Contains(o.AddressFields, op.RootField()), requests: requests,
		})
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

// handler sends a request to the endpoint of its path.
type handler struct {
	api       *httpapi.API
	exchange  http.HandlerFunc
	endpoints []*endpoint // in the order of Rows; nil for the row without an operation
	requests  *lru.Cache[string, *request]
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if q, ok := h.requests.Get(r.RequestURI); ok {
		q.endpoint.serve(w, r, q)
		return
	}
	i, vars := match(r.URL.EscapedPath())
	if i < 0 {
		w.Header()[linkHeader] = describedBy
		h.api.NotFound(w, r)
		return
	}
	if h.endpoints[i] == nil {
		w.Header()[linkHeader] = linkOf(r, linkTo(Rows[i]))
		h.exchange(w, r)
		return
	}
	e := h.endpoints[i]
	e.serve(w, r, &request{endpoint: e, vars: vars, link: linkOf(r, e.link)})
}

// allow lists the methods of an endpoint.
func (row Row) allow() string {
	if row.Method == http.MethodGet {
		return "GET, HEAD, OPTIONS"
	}
	return row.Method + ", OPTIONS"
}

// serves reports whether a row has a method; HEAD is served like GET.
func (row Row) serves(method string) bool {
	return method == row.Method || method == http.MethodHead && row.Method == http.MethodGet
}
