package rest

import (
	"context"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
)

// tableFor is the table that a request wants; nil when it wants JSON, or the path has no table.
func (e *endpoint) tableFor(r *http.Request) *httpapi.Table {
	if e.op.Table() == "" {
		return nil
	}
	format := tabular.Wanted(r.Header["Accept"])
	if format == tabular.None {
		return nil
	}
	return &httpapi.Table{Format: format, Path: e.op.Table(), Name: strings.TrimPrefix(r.URL.Path, Prefix+"/")}
}

// runTable answers with the list of the operation. Errors are those of the path, in JSON.
func (e *endpoint) runTable(ctx context.Context, vars map[string]any, t *httpapi.Table) httpapi.Answer {
	response := e.exec.Run(ctx, e.prepared, e.op.Variables(vars))
	if len(response.Errors) > 0 {
		return e.door.ErrorAnswer(graph.ErrorOf(response.Errors[0]))
	}
	a, err := t.Fill(httpapi.Answer{
		MaxAge: e.policy.MaxAge, Scope: e.policy.Scope,
		Made: response.Made, Source: response.Source, Tags: response.Tags, Store: response.Store,
	}, response.Data)
	if err != nil {
		e.log.Error("table", "operation", e.op.Name, "error", err)
		return e.door.ErrorAnswer(graph.ErrInternal)
	}
	return a
}
