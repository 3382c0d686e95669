package graph

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph/viewer"
)

// run is the state of one run of an operation. Fields resolve concurrently.
type run struct {
	executor   *Executor
	operation  *Operation
	variables  map[string]any
	plans      *planSet
	logged     sync.Map // texts of errors: a failed batch is logged once, however many fields fail with it
	restricted restrictions
	errors     atomic.Int64 // of fields
	missing    atomic.Bool  // a lookup found nothing
	// unknownNames counts the unknown names that got suggestions.
	unknownNames atomic.Int32
}

// maxErrors is the maximum number of field errors in a response.
const maxErrors = 100

const runKey = "gamedata.run"

// runOf returns the run of a context, or nil outside a run.
func runOf(ctx context.Context) *run {
	if !graphql.HasOperationContext(ctx) {
		return nil
	}
	r, _ := graphql.GetOperationContext(ctx).Stats.GetExtension(runKey).(*run)
	return r
}

// Run runs an operation. A SHARED operation serves every caller, so it runs as an unknown guest. Every error of the
// response has a code; errors other than *Error are logged and hidden. The context's deadline limits the run.
func (e *Executor) Run(ctx context.Context, op *Operation, vars map[string]any) (response Response) {
	failed := func(err *gqlerror.Error) Response {
		return Response{Response: &graphql.Response{Errors: gqlerror.List{err}}}
	}
	defer func() {
		if r := recover(); r != nil {
			response = failed(e.presenter.present(ctx, recovered(ctx, r)))
		}
	}()
	coerced, invalid := coerceVariables(e.Schema(), op, vars)
	if invalid != nil {
		return failed(invalid)
	}
	if op.Policy.Scope == Shared {
		ctx = viewer.With(ctx, viewer.Viewer{Kind: viewer.Guest})
	}
	attached := e.o.Loaders.Attach(ctx, op)
	r := &run{executor: e, operation: op, variables: coerced, plans: op.plans.of(coerced)}
	result, err := r.execute(attached, op, coerced)
	if err != nil {
		return failed(e.presenter.present(ctx, err))
	}
	r.restricted.addTo(result)
	if left := r.errors.Load() - maxErrors; left > 0 {
		setExtension(result, errorsLeftOutExtension, left)
	}
	response = Response{Response: result, ReadStats: e.o.Loaders.Stats(attached), MaxAge: op.Policy.MaxAge}
	if r.missing.Load() {
		response.MaxAge = min(response.MaxAge, response.missingAge())
	}
	for _, f := range op.Policy.Fields {
		response.Tags = append(response.Tags, "field:"+f.Field)
	}
	return response
}

// execute returns gqlgen's response, or an empty response after opening a subscription.
func (r *run) execute(ctx context.Context, op *Operation, variables map[string]any) (*graphql.Response, error) {
	oc := &graphql.OperationContext{
		RawQuery:               op.Name,
		Variables:              variables,
		OperationName:          op.Name,
		Doc:                    op.Doc,
		Operation:              op.Def,
		RecoverFunc:            recovered,
		ResolverMiddleware:     r.resolve,
		RootResolverMiddleware: r.resolveRootField,
	}
	oc.Stats.SetExtension(runKey, r)
	handler, ctx := r.executor.engine.DispatchOperation(ctx, oc)
	var response *graphql.Response
	if op.IsSubscription() {
		response = respondToSubscription(ctx, oc, handler)
	} else {
		response = handler(ctx)
	}
	switch {
	case response != nil:
		return response, nil
	case ctx.Err() != nil: // before gqlgen began
		return nil, ctx.Err()
	case opens(ctx):
		return &graphql.Response{}, nil
	}
	return nil, errors.New("gqlgen returned no response")
}

func (r *run) resolveRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if field := r.executor.o.Field; field != nil {
		var end func()
		ctx, end = field(ctx, graphql.GetRootFieldContext(ctx).Field.Name)
		defer end()
	}
	return next(ctx)
}

// resolve is the field middleware. For a field with a plan it returns finished JSON.
func (r *run) resolve(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	field := r.executor.facts.fields[fc.Field.Definition]
	r.restricted.record(fc, field.rules)
	if err := inRanges(field.ranges, fc.Args); err != nil {
		return nil, err
	}
	value, err := next(ctx)
	if field.lookup && lacks(reflect.ValueOf(value)) {
		r.missing.Store(true)
	}
	if err != nil || value == nil || len(fc.Field.Selections) == 0 || r.executor.o.DisableFastPath ||
		fc.Object == "Subscription" { // a channel
		return value, err
	}
	if text := r.plans.plan(ctx, r.executor, fc, value).write(value); text != nil {
		return text, nil
	}
	return value, nil
}
