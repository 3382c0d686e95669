package rest

import (
	"context"
	"log/slog"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
)

// endpoint answers one row. The order of its steps is that of WIRE §2.2: path, method,
// credentials, rate limit, query parameters, body, lookup.
type endpoint struct {
	row       Row
	op        *Operation
	prepared  *graph.Operation
	policy    graph.FieldPolicy
	door      *httpapi.Door
	exec      *graph.Executor
	log       *slog.Logger
	path      string   // with the prefix
	allow     []string // values of headers, shared by all answers: Allow,
	named     []string // GraphQL-Operation,
	link      []string // Link where the path has no variables
	byAddress bool
	known     *cache.Memo[*asked] // by request target, of all endpoints
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request, a *asked) {
	httpapi.Name(w, httpapi.DoorREST, e.path, e.op.Name)
	h := w.Header()
	h["Allow"], h[OperationHeader] = e.allow, e.named
	h[linkHeader] = a.link
	if e.byAddress {
		httpapi.NoCORS(h)
	}
	if e.op.Table() != "" {
		httpapi.VaryByTable(h)
	}
	switch {
	case r.Method == http.MethodOptions:
		e.door.Options(w, r, e.policy.Bucket, e.row.allow())
		return
	case !e.row.serves(r.Method):
		e.door.MethodNotAllowed(w, r, e.row.allow())
		return
	case !e.door.Admit(w, r, e.policy.Bucket, 1):
		return
	}
	if !a.bound {
		if err := e.bind(w, r, a); err != nil {
			e.door.Error(w, r, err)
			return
		}
	}
	if t := e.tableFor(r); t != nil {
		e.door.Serve(w, r, t.Of(a.question), func(ctx context.Context) httpapi.Answer { return e.runTable(ctx, a.vars, t) })
		return
	}
	e.door.Serve(w, r, a.question, a.run)
}

func (e *endpoint) question(vars map[string]any) httpapi.Question {
	q := httpapi.Question{
		MaxAge: e.policy.MaxAge, Scope: e.policy.Scope, ByAddress: e.byAddress,
		Source: httpapi.SourceREST,
	}
	key, ok := e.op.key(vars)
	if q.Key = key; !ok {
		q.MaxAge = 0
	}
	return q
}

// run makes the answer to a request whose variables are bound.
func (e *endpoint) run(ctx context.Context, vars map[string]any) httpapi.Answer {
	response := e.exec.Run(ctx, e.prepared, e.op.Variables(vars))
	if len(response.Errors) > 0 {
		a := e.door.ErrorAnswer(graph.ErrorOf(response.Errors[0]))
		a.Tags = response.Tags
		return a
	}
	body := grow(len(response.Data))
	headers, err := e.op.Transform(body, response.Data, vars)
	if err != nil {
		e.log.Error("transforming response failed", "operation", e.op.Name, "error", err)
		return e.door.ErrorAnswer(graph.ErrInternal)
	}
	return httpapi.Answer{
		Body: body.Bytes(), Header: headers, MaxAge: e.policy.MaxAge, Scope: e.policy.Scope,
		Made: response.Made, Source: response.Source, Tags: response.Tags, Store: response.Store,
	}
}
