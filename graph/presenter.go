package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph/model"
)

// presenter turns errors into the form that callers see, and logs the others.
type presenter struct{ log *slog.Logger }

// present returns an error with a code. Errors that callers may not see become ErrInternal and are logged.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
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
			p.logInternal(ctx, out, err)
		}
	case errors.As(err, &invalid):
		known = &Error{Code: BadVariables, Detail: invalid.Error()}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		known = ErrUnavailable
	default:
		p.logInternal(ctx, out, err)
		known = ErrInternal
	}
	out.Message, out.Extensions = known.Detail, known.Extensions()
	return out
}

// logInternal logs an error that callers do not see, once per operation.
func (p presenter) logInternal(ctx context.Context, at *gqlerror.Error, err error) {
	// gqlgen wraps an error with the path of the field; fields of one failed batch share the cause.
	cause := err
	var g *gqlerror.Error
	if errors.As(err, &g) && g.Err != nil {
		cause = g.Err
	}
	attrs := []any{"path", cut(at.Path.String(), maxMessage), "error", cause.Error()}
	if run := runOf(ctx); run != nil {
		if _, before := run.logged.LoadOrStore(cause.Error(), true); before {
			return
		}
		attrs = append(attrs, "operation", shorten(graphql.GetOperationContext(ctx).OperationName))
	}
	var r *recoveredPanic
	if errors.As(err, &r) {
		attrs = append(attrs, "stack", string(r.stack))
	}
	p.log.ErrorContext(ctx, "internal error", attrs...)
}

// recoveredPanic is a panic as an error, with the stack for the log.
type recoveredPanic struct {
	value any
	stack []byte
}

func (p *recoveredPanic) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func recovered(_ context.Context, value any) error { return &recoveredPanic{value, debug.Stack()} }
