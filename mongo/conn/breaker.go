package conn

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

const (
	// tripAfter is the number of consecutive failures that open the circuit breaker.
	tripAfter = 5
	// probeAfter is how long an open breaker rejects calls before it lets one through.
	probeAfter = time.Second
)

// breakers are two circuit breakers, so that reads go on from the secondaries while there is no primary.
type breakers struct {
	primary *gobreaker.CircuitBreaker[any] // of what only the primary does: writes, and the reads of consistency primary
	reads   *gobreaker.CircuitBreaker[any] // of the reads that go where the URI says

	open          atomic.Int32 // how many are not closed
	onUnavailable func(bool)
}

func newBreakers(onUnavailable func(bool)) *breakers {
	b := &breakers{onUnavailable: onUnavailable}
	b.primary, b.reads = b.newBreaker(), b.newBreaker()
	return b
}

// newBreaker returns a breaker that counts ErrUnavailable as failure and nothing else.
func (b *breakers) newBreaker() *gobreaker.CircuitBreaker[any] {
	return gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed && b.open.Add(1) == 1:
				b.onUnavailable(true)
			case to == gobreaker.StateClosed && b.open.Add(-1) == 0:
				b.onUnavailable(false)
			}
		},
		Timeout:     probeAfter,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsSuccessful: func(err error) bool {
			return !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrWriteRefused) || errors.Is(err, ErrDamaged)
		},
		IsExcluded: func(err error) bool { return errors.As(err, new(*cancelledError)) },
	})
}

// breaker returns that of a call with a consistency; nil when calls have none.
func (c *Conn) breaker(level consistency) *gobreaker.CircuitBreaker[any] {
	switch {
	case c.breakers == nil:
		return nil
	case level == configured:
		return c.breakers.reads
	}
	return c.breakers.primary
}

// cancelledError is the error of a call whose caller cancelled it or had no time left. It is no sign
// of the store's state.
type cancelledError struct{ error }

// call makes a call of the store; level is primary or higher when only the primary can answer it. ErrUnavailable
// when the breaker rejects it, ErrTooManyCalls when the context allows no further call.
func call[T any](ctx context.Context, c *Conn, level consistency, send func(context.Context) (T, error)) (
	out T, err error,
) {
	if err := countCall(ctx); err != nil {
		return out, err
	}
	limited, cancel := c.limited(ctx)
	defer cancel()
	limited = withLimitedTries(limited, cancel)
	breaker := c.breaker(level)
	if breaker == nil {
		out, err = send(limited)
		err = callError(ctx, err)
		c.noteRefusal(err)
		return out, err
	}
	_, rejected := breaker.Execute(func() (any, error) {
		out, err = send(limited)
		if err = callError(ctx, err); err != nil && ctx.Err() != nil {
			return nil, &cancelledError{err}
		}
		return nil, err
	})
	if errors.Is(rejected, gobreaker.ErrOpenState) || errors.Is(rejected, gobreaker.ErrTooManyRequests) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, rejected)
	}
	c.noteRefusal(err)
	return out, err
}

// refusalNoted is how long after a refused write the store counts as one that accepts none.
const refusalNoted = time.Minute

func (c *Conn) noteRefusal(err error) {
	if errors.Is(err, ErrWriteRefused) {
		c.refused.Store(time.Now().UnixNano())
	}
	if errors.Is(err, ErrDamaged) && !c.damaged.Swap(true) && c.options.OnDamage != nil {
		c.options.OnDamage(err)
	}
}

// Damaged reports whether the file of the embedded store was found to be damaged.
func (c *Conn) Damaged() bool { return c.damaged.Load() }

// RefusesWrites reports whether the store refused a write in the last minute.
func (c *Conn) RefusesWrites() bool {
	at := c.refused.Load()
	return at != 0 && time.Since(time.Unix(0, at)) < refusalNoted
}

// retried returns a read of a consistency that is tried a second time when the server says that it cannot answer, or
// the connection broke. The driver would try without a pause until the time is up, as the context has a deadline:
// thousands of commands to a server that is failing.
func retried[T any](
	c *Conn, level consistency, read func(context.Context) (T, error),
) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		out, err := read(ctx)
		again := err != nil && c.retryReads && driver.SessionFromContext(ctx) == nil && ctx.Err() == nil && isRetryable(err)
		if again && c.servers.await(ctx, level) {
			out, err = read(ctx)
		}
		return out, err
	}
}

// callError returns the error of a call of the store. If the caller left, that is the reason, whatever
// the driver says; if it did not, a cancelled call was cancelled by the driver, which gave up the
// connection.
func callError(ctx context.Context, err error) error {
	switch reason := ctx.Err(); {
	case err == nil:
		return nil
	case reason != nil && !errors.Is(err, reason):
		return Translate(fmt.Errorf("%w: %w", reason, err))
	case reason == nil && errors.Is(err, context.Canceled):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return Translate(err)
}

// limited returns the context of a call with its timeout.
func (c *Conn) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	least, _ := ctx.Value(timeoutKey{}).(time.Duration)
	return context.WithTimeout(ctx, max(c.timeout, least))
}

// longTimeout bounds one command that reads or writes much.
const longTimeout = time.Minute

type timeoutKey struct{}

// WithTimeout returns a context each of whose calls has at least this time.
func WithTimeout(ctx context.Context, least time.Duration) context.Context {
	return context.WithValue(ctx, timeoutKey{}, least)
}

// WithLongTimeout returns a context whose calls may read or write much: each has a minute at least.
func WithLongTimeout(ctx context.Context) context.Context { return WithTimeout(ctx, longTimeout) }

// Circuit returns the state of the circuit breakers: "closed" when all calls reach the store, "open" when those that
// need the primary, or all, are rejected, "half-open" while one call probes the store.
func (c *Conn) Circuit() string {
	b := c.breakers
	if b == nil {
		return gobreaker.StateClosed.String()
	}
	if state := b.reads.State(); state == gobreaker.StateOpen {
		return state.String()
	}
	if state := b.primary.State(); state != gobreaker.StateClosed {
		return state.String()
	}
	return b.reads.State().String()
}
