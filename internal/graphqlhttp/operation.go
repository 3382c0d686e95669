package graphqlhttp

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
	"gamedata/internal/tabular"
)

const (
	// maxOperationBytes bounds the bodies whose operations are cached, and the query strings. A typical query has 600
	// bytes, so some 200 of each are cached; parsed documents take up to about 80 times as much, if they consist of
	// fields with one-letter names.
	maxOperationBytes = 128 << 10
	// maxCachedBody is the length of the longest body whose operation is cached.
	maxCachedBody = 8 << 10
)

// operation is a parsed, validated and priced request. Identical requests share it.
type operation struct {
	*graph.Operation
	variables  map[string]any
	charges    map[string]int // by bucket
	dryRun     bool           // only calculates the cost, for free
	request    httpapi.CacheRequest
	hash, text string // of a document that the client persists
}

// readOperation reads the operation of a request. Programs send the same few requests over and over,
// so the operations of bodies and query strings are cached.
func (h *Handler) readOperation(w http.ResponseWriter, r *http.Request) (*operation, gqlerror.List) {
	var body []byte
	var err *graph.Error
	key, known := r.URL.RawQuery, h.byQuery
	if r.Method == http.MethodPost {
		if len(r.Header["Content-Type"]) == 0 {
			return nil, listOf(graph.ErrUnsupportedMediaType)
		}
		body, err = httpapi.ReadUnparsedJSON(w, r, httpapi.DefaultMaxBody)
		if err != nil {
			return nil, listOf(err)
		}
		key, known = string(body), h.byBody
	}
	if op, ok := known.Get(key); ok {
		return op, nil
	}
	req, err := readRequest(r, body)
	sent := req.query
	if err == nil {
		err = h.persisted.resolve(&req)
	}
	if err != nil {
		return nil, listOf(err)
	}
	op, errs := h.parse(r, req)
	if len(errs) > 0 {
		return nil, errs
	}
	if req.hash != "" && sent != "" && !op.IsMutation() && !op.dryRun { // a mutation may contain a password
		op.hash, op.text = req.hash, sent
	}
	if (op.request.MaxAge > 0 || op.IsSubscription()) && len(key) <= maxCachedBody {
		known.Put(key, op, len(key)+len(req.query)-len(sent))
	}
	return op, nil
}

// parse parses, validates and prices the document of a request. A new document may take long, so the limiter applies.
func (h *Handler) parse(r *http.Request, req request) (*operation, gqlerror.List) {
	release, overload := h.o.Limiter.Acquire(r.Context(), loadshed.PriorityNormal)
	if overload != nil {
		return nil, listOf(graph.ErrUnavailable)
	}
	defer release()
	parsed, errs := h.exec.Parse(req.query, req.operationName)
	if len(errs) > 0 {
		return nil, errs
	}
	charges, err := h.exec.Charges(parsed, req.variables)
	if err == nil {
		err = h.exec.CheckVariables(parsed, req.variables)
	}
	if err != nil {
		return nil, gqlerror.List{err}
	}
	op := &operation{Operation: parsed, variables: req.variables, charges: charges}
	if dry := h.exec.DryRun(parsed, req.variables); dry != nil {
		op.Operation, op.charges, op.dryRun = dry, map[string]int{}, true
	}
	op.request = httpapi.CacheRequest{
		MaxAge: op.Policy.MaxAge, Scope: op.Policy.Scope, Source: httpapi.SourceGraphQL,
		ByAddress:     op.selects(h.o.AddressFields) || op.selects(h.o.CounterFields),
		ErrorResponse: func(e *graph.Error) httpapi.Response { return errorResponse(listOf(e)) },
		Key:           op.key(),
	}
	for _, cost := range op.charges {
		op.request.Cost += cost
	}
	if op.IsMutation() {
		op.request.MaxAge = 0
	}
	return op, nil
}

// key names the operation and its variables. Only declared variables count; encoding/json sorts the members of an
// object.
func (op *operation) key() string {
	given := make(map[string]any, len(op.Def.VariableDefinitions))
	for _, def := range op.Def.VariableDefinitions {
		if value, sent := op.variables[def.Variable]; sent {
			given[def.Variable] = value
		}
	}
	text, _ := json.Marshal(given) // it was JSON
	return "graphql " + op.Hash + string(text)
}

// size estimates the bytes that the operation occupies: a parsed document takes up to 80 times as much as its text, and
// at most about 300 kB.
func (op *operation) size() int {
	text := len(op.Def.Position.Src.Input)
	return text + min(80*text, 300_000)
}

// selects reports whether the operation selects one of some root fields.
func (op *operation) selects(fields []string) bool {
	return slices.ContainsFunc(op.Policy.Fields, func(f graph.FieldPolicy) bool {
		return slices.Contains(fields, f.Field)
	})
}

// table returns the table that a request prefers, nil for JSON. The query parameter `list` names the list, and
// `bom` adds a byte order mark to CSV.
//
// Errors: INVALID_QUERY_PARAMS; NOT_ACCEPTABLE if the choice of list is ambiguous.
func (op *operation) table(r *http.Request) (*httpapi.Table, *graph.Error) {
	format := httpapi.TableFormat(r.Header)
	if format == tabular.None {
		return nil, nil
	}
	given, err := url.ParseQuery(r.URL.RawQuery)
	switch {
	case err != nil:
		return nil, errURL
	case len(given["list"]) > 1:
		return nil, errRepeated
	}
	path, err := tabular.Choose(op.Def, format, given.Get("list"))
	if err != nil {
		return nil, graph.Errorf(graph.NotAcceptable, "%v", err)
	}
	mark := format == tabular.CSV && given.Has("bom")
	return &httpapi.Table{Format: format, Path: path, Operation: op.Def, Name: op.Name, Mark: mark}, nil
}
