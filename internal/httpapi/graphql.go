package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
)

const graphqlAllow = "GET, HEAD, POST, OPTIONS"

// allowGraphQL is the value of Allow, shared by all answers.
var allowGraphQL = []string{graphqlAllow}

// GraphQL is the handler of /graphql. It takes one operation by POST, or a query by GET
// and HEAD, charges its root fields to their buckets before running it, and answers
// {errors, data, extensions} with extensions.cost telling the charges.
//
// The status is 200 for an operation that ran, whatever its errors, else the status of
// the first error's code. Who asks for CSV or NDJSON gets a list of the answer as that (see
// Table), everybody else application/json whatever Accept says. A request that does not come to
// run costs 1 in bucket SHARED.
func (d *Door) GraphQL() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Allow"] = allowGraphQL
		VaryByTable(w.Header())
		Name(w, DoorGraphQL, "/graphql", "")
		switch r.Method {
		case http.MethodGet, http.MethodHead, http.MethodPost:
		case http.MethodOptions:
			d.Options(w, r, Shared, graphqlAllow)
			return
		default:
			d.refuseGraphQL(w, r, listOf(graph.ErrMethodNotAllowed))
			return
		}
		if bad := badCredential(w); bad != nil {
			d.refuseGraphQL(w, r, listOf(bad))
			return
		}
		a, problems := d.readGraphQL(w, r)
		if len(problems) > 0 {
			d.refuseGraphQL(w, r, problems)
			return
		}
		op := a.op
		nameGraphQL(w, op)
		if holds(op, d.o.AddressFields) {
			NoCORS(w.Header())
		}
		question, run := a.question, func(ctx context.Context) Answer { return d.runGraphQL(ctx, a) }
		if isMutation(op) {
			if bad := admitMutation(w, r); bad != nil {
				d.refuseGraphQL(w, r, listOf(bad))
				return
			}
			run = func(ctx context.Context) Answer { return d.mutate(ctx, r, a) }
		} else if t, bad := tableOf(r, a); bad != nil {
			d.refuseGraphQL(w, r, listOf(bad))
			return
		} else if t != nil {
			question, run = t.Of(question), func(ctx context.Context) Answer { return d.runTable(ctx, a, t) }
		}
		if !d.charge(w, r, a.charges) {
			return
		}
		if a.hash != "" { // who pays for it may have it remembered
			caller, _ := d.caller(Asker(w))
			d.persisted.put(a.hash, a.text, caller)
		}
		d.Serve(w, r, question, run)
	})
}

// runGraphQL answers an operation that is paid for.
func (d *Door) runGraphQL(ctx context.Context, a *asked) Answer {
	response := d.o.Exec.Run(ctx, a.op, a.variables)
	if len(response.Data) == 0 { // it did not come to run: its variables do not fit
		return d.graphqlRefusal(response.Errors)
	}
	out := Answer{
		MaxAge: a.question.MaxAge, Scope: a.question.Scope, Made: response.Made, Source: response.Source,
		Tags: response.Tags, Store: response.Store, Open: true,
	}
	if len(response.Errors) > 0 {
		out.MaxAge = 0
		out.Failing = slices.ContainsFunc(response.Errors, func(e *gqlerror.Error) bool {
			return graph.ErrorOf(e).Code == graph.ServiceUnavailable
		})
	}
	var err error
	if out.Body, err = graphqlBody(response.Response, true, out, a.charges); err != nil {
		d.o.Log.Error("graphql answer", "error", err)
		return d.graphqlRefusal(nil)
	}
	return out
}

// graphqlKey names an operation and its variables. Only variables the operation knows
// count; encoding/json writes the members of an object in one order.
func graphqlKey(op *graph.Operation, variables map[string]any) (key string, ok bool) {
	given := make(map[string]any, len(op.Def.VariableDefinitions))
	for _, def := range op.Def.VariableDefinitions {
		if value, sent := variables[def.Variable]; sent {
			given[def.Variable] = value
		}
	}
	text, err := json.Marshal(given)
	return "graphql " + op.Hash + string(text), err == nil && op.Hash != ""
}

// holds tells whether an operation asks one of some root fields.
func holds(op *graph.Operation, fields []string) bool {
	return slices.ContainsFunc(op.Policy.Fields, func(f graph.FieldPolicy) bool {
		return slices.Contains(fields, f.Field)
	})
}

// charge takes what the operation costs and writes the headers, or the refusal.
func (d *Door) charge(w http.ResponseWriter, r *http.Request, prices map[string]int) bool {
	dec, bad := d.TakeAll(w, prices)
	switch {
	case bad != nil:
		d.refuseGraphQL(w, r, listOf(bad))
		return false
	case !dec.Allowed:
		d.tooManyGraphQL(w, r, dec)
		return false
	}
	d.SetRateHeaders(w, dec)
	return true
}
