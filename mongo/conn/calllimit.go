package conn

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrTooManyCalls rejects a call when the calls of its context are used up.
var ErrTooManyCalls = errors.New("the operation needs too many calls of the store")

type callLimitKey struct{}

// WithCallLimit returns a context that allows a number of calls of the store. A list that takes several replies is one
// call.
func WithCallLimit(ctx context.Context, calls int) context.Context {
	left := new(atomic.Int64)
	left.Store(int64(calls))
	return context.WithValue(ctx, callLimitKey{}, left)
}

// WithoutCallLimit exempts the calls of a context from the limit, for work that several requests share.
func WithoutCallLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, callLimitKey{}, (*atomic.Int64)(nil))
}

// LiftCallLimit removes the limit of a context and of contexts that share it.
func LiftCallLimit(ctx context.Context) {
	if left, _ := ctx.Value(callLimitKey{}).(*atomic.Int64); left != nil {
		left.Store(1 << 62)
	}
}

type guardKey struct{}

// WithGuard returns a context that makes a call only if guard returns nil. An error of guard is the error of the call.
func WithGuard(ctx context.Context, guard func(context.Context) error) context.Context {
	return context.WithValue(ctx, guardKey{}, guard)
}

// admit runs the guard and counts the call; ErrTooManyCalls when no call is left.
func admit(ctx context.Context) error {
	if guard, ok := ctx.Value(guardKey{}).(func(context.Context) error); ok {
		if err := guard(ctx); err != nil {
			return err
		}
	}
	if left, _ := ctx.Value(callLimitKey{}).(*atomic.Int64); left != nil && left.Add(-1) < 0 {
		return ErrTooManyCalls
	}
	return nil
}
