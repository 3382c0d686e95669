package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (e *Executor) newEngine() *executor.Executor {
	engine := executor.New(e.schema)
	engine.SetErrorPresenter(e.present)
	engine.SetRecoverFunc(recovered)
	return engine
}

// Response is what an operation gave.
type Response struct {
	*graphql.Response
	Reading
}

// Run answers an operation. A SHARED answer serves everybody, so it is resolved as a guest whom
// nothing is known about (DESIGN §7). Every error of the response has a code; what resolvers did not
// say in an *Error is hidden and logged. The context's deadline bounds the run.
func (e *Executor) Run(ctx context.Context, op *Operation, vars map[string]any) (response Response) {
	failed := func(err *gqlerror.Error) Response {
		return Response{Response: &graphql.Response{Errors: gqlerror.List{err}}}
	}
	defer func() {
		if r := recover(); r != nil {
			response = failed(e.present(ctx, recovered(ctx, r)))
		}
	}()
	coerced, bad := coerceVariables(e.Schema(), op, vars)
	if bad != nil {
		return failed(bad)
	}
	if op.Policy.Scope == Shared {
		ctx = viewer.With(ctx, viewer.Viewer{Kind: viewer.Guest})
	}
	oc := &graphql.OperationContext{
		RawQuery:               op.Name,
		Variables:              coerced,
		OperationName:          op.Name,
		Doc:                    op.Doc,
		Operation:              op.Def,
		RecoverFunc:            recovered,
		ResolverMiddleware:     (&fields{e, op.choices.under(coerced)}).run,
		RootResolverMiddleware: e.runRootField,
	}
	oc.Stats.SetExtension(loggedKey, &logged{})
	restricted := &restrictions{}
	oc.Stats.SetExtension(restrictionsKey, restricted)
	attached := e.attach(ctx)
	e.allow(attached, op)
	handler, inner := e.engine.DispatchOperation(attached, oc)
	if response.Response = handler(inner); response.Response == nil {
		// The engine answers nothing when the context ended before it began.
		err := inner.Err()
		if err == nil {
			err = errors.New("the engine gave no answer")
		}
		return failed(e.present(ctx, err))
	}
	restricted.addTo(response.Response)
	response.Reading = e.read(attached)
	for _, f := range op.Policy.Fields {
		response.Tags = append(response.Tags, "field:"+f.Field)
	}
	return response
}

func (e *Executor) runRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if e.field == nil {
		return next(ctx)
	}
	ctx, end := e.field(ctx, graphql.GetRootFieldContext(ctx).Field.Name)
	defer end()
	return next(ctx)
}

// panicked is a panic as an error; it keeps where it happened for the log.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func recovered(_ context.Context, value any) error { return &panicked{value, debug.Stack()} }

// present gives an error the form that callers see.
func (e *Executor) present(ctx context.Context, err error) *gqlerror.Error {
	out := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	var g *gqlerror.Error
	if errors.As(err, &g) {
		out.Locations = g.Locations
		if g.Path != nil {
			out.Path = g.Path
		}
	}
	known := new(Error)
	var invalid model.InvalidValue
	switch {
	case errors.As(err, &known):
		if known.Code == Internal {
			e.hide(ctx, out, err)
		}
	case errors.As(err, &invalid):
		known = &Error{Code: BadVariables, Detail: invalid.Error()}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		known = ErrUnavailable
	default:
		e.hide(ctx, out, err)
		known = ErrInternal
	}
	out.Message, out.Extensions = known.Detail, known.Extensions()
	return out
}

// logged remembers what one operation logged: a batch that fails is one failure, however
// many fields it leaves without a value.
type logged struct {
	errors sync.Map // text of an error → true
}

const loggedKey = "gamedata.logged"

func (l *logged) before(err error) bool {
	_, before := l.errors.LoadOrStore(err.Error(), true)
	return before
}

// hide logs what the caller is not told, once for each operation.
func (e *Executor) hide(ctx context.Context, at *gqlerror.Error, err error) {
	// The engine wraps an error with its path; the cause is what fields have in common.
	cause := err
	var g *gqlerror.Error
	if errors.As(err, &g) && g.Err != nil {
		cause = g.Err
	}
	attrs := []any{"path", cut(at.Path.String(), maxMessage), "error", cause.Error()}
	if graphql.HasOperationContext(ctx) {
		oc := graphql.GetOperationContext(ctx)
		if l, ok := oc.Stats.GetExtension(loggedKey).(*logged); ok && l.before(cause) {
			return
		}
		attrs = append(attrs, "operation", shorten(oc.OperationName))
	}
	var p *panicked
	if errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.stack))
	}
	e.log.ErrorContext(ctx, "internal error", attrs...)
}
