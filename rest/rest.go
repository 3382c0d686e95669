// Package rest is the door for legacy clients: every documented path under /v3 is one fixed
// GraphQL operation, run on the shared executor and reshaped to the documented body. What
// differs between endpoints stands in routes.go and operations/; no endpoint has Go of its
// own. Resolvers, loaders and the store may not be reached from here.
package rest

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
)

// Prefix is the version segment that every path begins with (SPEC §9).
const Prefix = "/v3"

// Options of the adapter.
type Options struct {
	// Log takes what callers are not told; slog.Default() when nil.
	Log *slog.Logger
	// AddressFields are the root fields whose answers depend on the caller's address, the same
	// that the door is told: their endpoints carry no CORS headers (WIRE §1.1).
	AddressFields []string
	// Exchange answers the row without an operation; without it the path is unknown.
	Exchange http.HandlerFunc
}

// New returns the handler of everything under /v3, which answers with the operations of Load.
// From then on the door knows all of them by the hashes that answers name.
func New(d *httpapi.Door, exec *graph.Executor, ops map[string]*Operation, o Options) (http.Handler, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	for _, name := range o.AddressFields {
		if !slices.ContainsFunc(slices.Collect(maps.Values(ops)),
			func(op *Operation) bool { return op.RootField() == name }) {
			return nil, fmt.Errorf("no endpoint answers %s, which is said to depend on the caller's address", name)
		}
	}
	h := &handler{door: d, exchange: o.Exchange, known: cache.Memo[*asked]{Room: askedRoom}}
	if h.exchange == nil {
		h.exchange = d.NotFound
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
		d.Remember(op.Hash(), op.Document())
		policy, ok := exec.FieldPolicy(op.RootField())
		if !ok {
			return nil, fmt.Errorf("operation %s: its root field has no policy", op.Name)
		}
		h.endpoints = append(h.endpoints, &endpoint{
			row: row, path: Prefix + row.Path, op: op, prepared: prepared, policy: policy, door: d, exec: exec, log: o.Log,
			allow: []string{row.allow()}, named: naming(op), link: linkTo(row),
			byAddress: slices.Contains(o.AddressFields, op.RootField()), known: &h.known,
		})
	}
	return h, nil
}

// handler sends a request to the endpoint of its path.
type handler struct {
	door      *httpapi.Door
	exchange  http.HandlerFunc
	endpoints []*endpoint // in the order of Rows; nil for the row without an operation
	known     cache.Memo[*asked]
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a, ok := h.known.Get(r.RequestURI); ok {
		a.endpoint.serve(w, r, a)
		return
	}
	i, vars := match(r.URL.EscapedPath())
	if i < 0 {
		w.Header()[linkHeader] = describedBy
		h.door.NotFound(w, r)
		return
	}
	if h.endpoints[i] == nil {
		w.Header()[linkHeader] = linkOf(r, linkTo(Rows[i]))
		h.exchange(w, r)
		return
	}
	e := h.endpoints[i]
	e.serve(w, r, &asked{endpoint: e, vars: vars, link: linkOf(r, e.link)})
}

// allow names the methods of an endpoint (WIRE §1.1).
func (row Row) allow() string {
	if row.Method == http.MethodGet {
		return "GET, HEAD, OPTIONS"
	}
	return row.Method + ", OPTIONS"
}

// serves reports whether a row answers a method; HEAD is answered like GET.
func (row Row) serves(method string) bool {
	return method == row.Method || method == http.MethodHead && row.Method == http.MethodGet
}

func grow(size int) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.Grow(size + size/8)
	return b
}
