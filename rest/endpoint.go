package rest

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"gamedata/door"
	"gamedata/graph"
)

// endpoint answers one row. The order of its steps is that of WIRE §2.2: path, method,
// credentials, rate limit, query parameters, body, lookup.
type endpoint struct {
	row       Row
	op        *Operation
	prepared  *graph.Operation
	policy    graph.FieldPolicy
	door      *door.Door
	exec      *graph.Executor
	timeout   time.Duration
	log       *slog.Logger
	byAddress bool
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request, vars map[string]any) {
	door.Name(w, e.op.Name)
	w.Header().Set("Allow", e.row.allow())
	if e.byAddress {
		door.NoCORS(w.Header())
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
	if err := e.bind(w, r, vars); err != nil {
		e.door.Error(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeout)
	defer cancel()
	response := e.exec.Run(ctx, e.prepared, e.op.Variables(vars))
	if len(response.Errors) > 0 {
		e.door.Error(w, r, graph.ErrorOf(response.Errors[0]))
		return
	}
	body := grow(len(response.Data))
	headers, err := e.op.Shape(body, response.Data, vars)
	if err != nil {
		e.log.Error("shape", "operation", e.op.Name, "error", err)
		e.door.Error(w, r, graph.ErrInternal)
		return
	}
	e.door.Write(w, r, door.Answer{Body: body.Bytes(), Header: headers, MaxAge: e.policy.MaxAge, Scope: e.policy.Scope})
}

func (e *endpoint) bind(w http.ResponseWriter, r *http.Request, vars map[string]any) *graph.Error {
	if err := e.op.bindQuery(r.URL.RawQuery, vars); err != nil {
		return err
	}
	def := e.op.bodyVariable()
	if def == nil {
		return nil
	}
	body, err := door.ReadJSON(w, r, e.door.MaxBody())
	if err != nil {
		return err
	}
	filter, err := e.op.bindBody(def, body)
	if err != nil {
		return err
	}
	vars[def.Variable] = filter
	return nil
}
