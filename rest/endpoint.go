package rest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
)

// endpoint serves one row. Its checks come in this order: path, method, credentials, rate limit,
// query parameters, body, lookup.
type endpoint struct {
	*Handler  // shared by all endpoints
	row       Row
	path      string // with the prefix
	op        *Operation
	prepared  *graph.Operation
	streamed  *graph.Operation // the same with Stream; nil if its result cannot be transformed in parts
	policy    graph.FieldPolicy
	byAddress bool
}

func newEndpoint(h *Handler, row Row, op *Operation) (*endpoint, error) {
	prepared, err := h.exec.Prepare(op.Query())
	if err != nil {
		return nil, err
	}
	prepared.Source = httpapi.SourceREST
	policy, ok := h.exec.FieldPolicy(op.RootField())
	if !ok {
		return nil, errors.New("its root field has no policy")
	}
	policy = op.Policy(policy)
	// An endpoint has the documented policy, whatever its operation selects.
	prepared.Policy = graph.Policy{MaxAge: policy.MaxAge, Scope: policy.Scope, Fields: []graph.FieldPolicy{policy}}
	e := &endpoint{
		Handler: h, row: row, path: Prefix + row.Path, op: op, prepared: prepared, policy: policy,
		byAddress: slices.Contains(h.o.AddressFields, op.RootField()),
	}
	if op.Streamable() {
		streamed := *prepared
		streamed.Stream = true
		e.streamed = &streamed
	}
	return e, nil
}

// ServeHTTP serves a request that the router matched.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.serve(w, r, &request{endpoint: e, vars: pathVariables(mux.Vars(r)), link: linkOf(r)})
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request, q *request) {
	httpapi.SetRoute(r.Context(), httpapi.APIREST, e.path, e.op.Name)
	httpapi.IgnoreCrossSiteSession(r.Context())
	h := w.Header()
	h[linkHeader] = q.link
	if e.byAddress {
		httpapi.NoCORS(h)
	}
	if e.op.Table() != "" {
		httpapi.VaryByAccept(h)
	}
	switch {
	case r.Method == http.MethodOptions:
		e.api.WriteOptions(w, r, e.policy.Bucket, e.row.allow())
		return
	case !e.row.serves(r.Method):
		e.api.MethodNotAllowed(w, r, e.row.allow())
		return
	case !e.api.Limits.Authorize(w, r, e.policy.Bucket, 1):
		return
	}
	if !q.bound {
		if err := q.bind(w, r); err != nil {
			e.api.Errors.Write(w, r, err)
			return
		}
	}
	t, request := e.table(r), q.cache
	if t != nil {
		request = t.CacheRequest(request)
	}
	e.api.Cache.Serve(w, r, request, func(ctx context.Context) httpapi.Response { return e.run(ctx, q.vars, t) })
}

func (e *endpoint) cacheRequest(vars map[string]any) httpapi.CacheRequest {
	q := httpapi.CacheRequest{
		MaxAge: e.policy.MaxAge, Scope: e.policy.Scope, ByAddress: e.byAddress,
		Source: httpapi.SourceREST,
	}
	key, ok := e.op.cacheKey(vars)
	if q.Key = key; !ok {
		q.MaxAge = 0
	}
	return q
}

// run runs the operation and transforms its result into the documented body, or encodes it as a table.
// Errors are in JSON always.
func (e *endpoint) run(ctx context.Context, vars map[string]any, t *httpapi.Table) httpapi.Response {
	if e.streamed != nil && t == nil {
		resp, err := e.runOperation(ctx, e.streamed, vars, nil)
		if !errors.Is(err, graph.ErrNotStreamed) {
			return resp
		}
	}
	resp, _ := e.runOperation(ctx, e.prepared, vars, t)
	return resp
}

// runOperation returns the response, of an error too.
func (e *endpoint) runOperation(ctx context.Context, op *graph.Operation, vars map[string]any, t *httpapi.Table) (
	httpapi.Response, error,
) {
	result := e.exec.Run(ctx, op, e.op.Variables(vars))
	if len(result.Errors) > 0 {
		err := graph.ErrorOf(result.Errors[0])
		resp := e.api.Errors.Response(err)
		resp.Tags = result.Tags
		return resp, err
	}
	resp := httpapi.Response{
		MaxAge: e.policy.MaxAge, Scope: e.policy.Scope,
		Made: result.Made, Source: result.Source, Tags: result.Tags, Store: result.Store,
	}
	header, body, err := e.transform(result, vars) // rejects data for tables too
	switch {
	case err != nil:
	case t != nil:
		resp, err = t.Fill(resp, result.Data)
	default:
		resp.Header, resp.Body = header, body
	}
	if known := new(graph.Error); errors.As(err, &known) {
		resp := e.api.Errors.Response(known)
		resp.Tags = result.Tags
		return resp, err
	}
	if err != nil {
		if !errors.Is(err, graph.ErrNotStreamed) {
			e.o.Log.Error("transforming response failed", "operation", e.op.Name, "error", err)
		}
		return e.api.Errors.Response(graph.ErrInternal), err
	}
	return resp, nil
}

// transform returns the body of a result. A stream is transformed while it is written.
func (e *endpoint) transform(result graph.Response, vars map[string]any) (http.Header, []byte, error) {
	var body bytes.Buffer
	if result.Stream == nil {
		body.Grow(len(result.Data) + len(result.Data)/8)
		header, err := e.op.Transform(&body, result.Data, vars)
		return header, body.Bytes(), err
	}
	frames := result.Stream.Read()
	defer frames.Close()
	var failure error
	header, err := e.op.TransformFrames(&body, func() ([]byte, float64) {
		f, err := frames.Next()
		failure = err
		return f.Text, f.Done
	}, vars)
	return header, body.Bytes(), cmp.Or(failure, err)
}

// table returns the table that a request prefers; nil for JSON, or when the endpoint has no table.
func (e *endpoint) table(r *http.Request) *httpapi.Table {
	if e.op.Table() == "" {
		return nil
	}
	format := httpapi.TableFormat(r.Header)
	if format == tabular.None {
		return nil
	}
	return &httpapi.Table{Format: format, Path: e.op.Table(), Name: strings.TrimPrefix(r.URL.Path, Prefix+"/")}
}
