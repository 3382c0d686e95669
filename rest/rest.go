// Package rest is the door for legacy clients: every documented path under /v3 is one fixed
// GraphQL operation, run on the shared executor and reshaped to the documented body. What
// differs between endpoints stands in routes.go and operations/; no endpoint has Go of its
// own. Resolvers, loaders and the store may not be reached from here.
package rest

import (
	"bytes"
	"embed"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
)

//go:embed operations
var operations embed.FS

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

// Load compiles every operation of the rows, by name.
func Load(schema *ast.Schema) (map[string]*Operation, error) {
	out := map[string]*Operation{}
	for _, row := range Rows {
		if row.Operation == "" {
			continue
		}
		source, err := source(row.Operation)
		if err != nil {
			return nil, fmt.Errorf("operation %s: %w", row.Operation, err)
		}
		op, err := Compile(schema, row.Operation, source)
		if err == nil {
			err = row.check(op)
		}
		if err != nil {
			return nil, err
		}
		out[row.Operation] = op
	}
	return out, nil
}

// check sees that a row's operation can be asked what the row's requests tell.
func (row Row) check(op *Operation) error {
	for _, step := range strings.Split(row.Path, "/") {
		name, ok := strings.CutPrefix(step, "{")
		if !ok {
			continue
		}
		if v := op.def.VariableDefinitions.ForName(strings.TrimSuffix(name, "}")); v == nil || v.Type.Name() != "String" ||
			v.Type.Elem != nil || len(v.Directives) > 0 {
			return fmt.Errorf("operation %s: the path %s gives the text %s, which is no plain variable of it", op.Name, row.Path,
				step)
		}
	}
	if op.bodyVariable() != nil && row.Method != http.MethodPost {
		return fmt.Errorf("operation %s: a %s has no body to read", op.Name, row.Method)
	}
	return nil
}

var spread = regexp.MustCompile(`\.\.\.([A-Za-z]+)`)

// source is the text of an operation and of every fragment it spreads.
func source(operation string) (string, error) {
	text, err := operations.ReadFile("operations/" + operation + ".graphql")
	have := map[string]bool{}
	for more := true; more && err == nil; {
		more = false
		for _, m := range spread.FindAllSubmatch(text, -1) {
			if name := string(m[1]); name != "on" && !have[name] && err == nil {
				have[name], more = true, true
				var fragment []byte
				fragment, err = operations.ReadFile("operations/fragments/" + name + ".graphql")
				text = append(text, fragment...)
			}
		}
	}
	return string(text), err
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
		prepared, err := exec.Prepare(op.doc)
		if err != nil {
			return nil, fmt.Errorf("operation %s: %w", op.Name, err)
		}
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
