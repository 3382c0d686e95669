package rest

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
)

// endpoint serves one row. Its checks come in this order: path, method, credentials, rate limit,
// query parameters, body, lookup.
type endpoint struct {
	*Handler // shared by all endpoints
	httpapi.Endpoint
	op       *Operation
	prepared *graph.Operation
	policy   graph.FieldPolicy
}

func newEndpoint(h *Handler, row Row, op *Operation) *endpoint {
	prepared, policy := h.exec.Prepare(op.Query()), op.Policy(h.exec.FieldPolicy(op.RootField()))
	prepared.Source = httpapi.SourceREST
	// The documented policy applies, whatever the operation selects.
	prepared.Policy = graph.Policy{MaxAge: policy.MaxAge, Scope: policy.Scope, Fields: []graph.FieldPolicy{policy}}
	return &endpoint{Handler: h, op: op, prepared: prepared, policy: policy, Endpoint: httpapi.Endpoint{
		Path: Prefix + row.Path, Operation: op.Name, Bucket: policy.Bucket, Allow: row.allow(),
		ByAddress: slices.Contains(h.o.AddressFields, op.RootField()), Tables: op.Table() != "",
	}}
}

func (e *endpoint) cacheRequest(vars map[string]any) httpapi.CacheRequest {
	return httpapi.CacheRequest{
		Key: e.op.cacheKey(vars), MaxAge: e.policy.MaxAge, Scope: e.policy.Scope, ByAddress: e.ByAddress,
		Source: httpapi.SourceREST,
	}
}

// run runs the operation and transforms its result into the documented body, or encodes it as a table. Errors are
// always JSON.
func (e *endpoint) run(ctx context.Context, vars map[string]any, t *httpapi.Table) httpapi.Response {
	result := e.exec.Run(ctx, e.prepared, vars)
	if errs := graph.WithoutNotFound(result.Errors); len(errs) > 0 {
		return e.errorResponse(graph.ErrorOf(errs[0]), result)
	}
	resp := httpapi.Response{MaxAge: result.MaxAge, Scope: e.policy.Scope, ReadStats: result.ReadStats}
	var body bytes.Buffer
	body.Grow(len(result.Data) + len(result.Data)/8)
	header, err := e.op.Transform(&body, result.Data, vars) // rejects data for tables too
	switch {
	case err != nil:
	case t != nil:
		resp, err = t.Fill(resp, result.Data)
	default:
		resp.Header, resp.Body = header, body.Bytes()
	}
	if err == nil {
		return resp
	}
	if known := new(graph.Error); errors.As(err, &known) {
		return e.errorResponse(known, result)
	}
	e.o.Log.Error("transforming response failed", "operation", e.op.Name, "error", err)
	return e.api.Errors.Response(graph.ErrInternal)
}

// errorResponse converts an error into a response, with the tags of the records read and the time since a record has
// been missing.
func (e *endpoint) errorResponse(err *graph.Error, result graph.Response) httpapi.Response {
	if parameter := e.op.Parameter(err.Argument); parameter != "" && err.Argument != "" {
		named := *err
		named.Detail = parameter + strings.TrimPrefix(err.Detail, err.Argument)
		err = &named
	}
	resp := e.api.Errors.Response(err)
	resp.Tags, resp.Missing = result.Tags, result.Missing
	return resp
}

// table returns the table that a request prefers, or nil for JSON and for endpoints without a table.
func (e *endpoint) table(r *http.Request) *httpapi.Table {
	if !e.Tables {
		return nil
	}
	format := httpapi.TableFormat(r.Header)
	if format == tabular.None {
		return nil
	}
	return &httpapi.Table{Format: format, Path: e.op.Table(), Name: strings.TrimPrefix(r.URL.Path, Prefix+"/")}
}
