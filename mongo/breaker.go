package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	// failuresInARow have the store taken for lost.
	tripAfter = 5
	// probeAfter is how long nothing is asked of a lost store before one call tries again.
	probeAfter = time.Second
)

// gate is what every call of the store passes: it gets the time of one command and no more,
// and while the store is lost it is refused at once instead of waiting for that time.
type guard struct {
	timeout time.Duration
	breaker *gobreaker.CircuitBreaker[any] // nil when calls are never refused
}

// newBreaker opens on a store that does not answer, and on nothing else. lost is told when the
// store is taken for lost, and when it is there again.
func newBreaker(lost func(bool)) *gobreaker.CircuitBreaker[any] {
	return gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed || to == gobreaker.StateClosed {
				lost(to != gobreaker.StateClosed)
			}
		},
		Timeout:      probeAfter,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsSuccessful: func(err error) bool { return !errors.Is(translateError(err), ErrUnavailable) },
		IsExcluded:   func(err error) bool { return errors.As(err, new(*errCallerGone)) },
	})
}

// leftEarly is the error of a call whose caller left, or had no time left: it tells nothing of
// the store.
type errCallerGone struct{ error }

// withBreaker makes a call of the store. It may be refused with ErrUnavailable.
func withBreaker[T any](ctx context.Context, g *guard, call func(context.Context) (T, error)) (out T, err error) {
	limited := ctx
	if ctx.Value(longTimeoutKey{}) == nil {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, g.timeout)
		defer cancel()
	}
	if g.breaker == nil {
		return call(limited)
	}
	_, told := g.breaker.Execute(func() (any, error) {
		if out, err = call(limited); err != nil && ctx.Err() != nil {
			return nil, &errCallerGone{err}
		}
		return nil, err
	})
	if errors.Is(told, gobreaker.ErrOpenState) || errors.Is(told, gobreaker.ErrTooManyRequests) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, told)
	}
	return out, err
}

// patience bounds one command that loads or reads much; it replaces the short timeout
// of the calls that answer people.
const longTimeout = time.Minute

type longTimeoutKey struct{}

func withLongTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithValue(ctx, longTimeoutKey{}, true), longTimeout)
}

// Circuit tells whether calls reach the store: "closed" when they do, "open" while it is taken
// for lost and they are refused, "half-open" while one call tries again.
func (s *Store) Circuit() string {
	if s.guard.breaker == nil {
		return gobreaker.StateClosed.String()
	}
	return s.guard.breaker.State().String()
}
