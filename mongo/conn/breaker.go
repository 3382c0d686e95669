package conn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"golang.org/x/sync/singleflight"
)

const (
	// tripAfter is the number of consecutive failures that open the circuit breaker.
	tripAfter = 5
	// probeAfter is how long an open breaker rejects calls before it tries again.
	probeAfter = time.Second
)

// breaker opens when consecutive calls fail and the store does not respond to a ping either: a slow query says nothing
// about the store. While it is open one ping a second finds out whether the store is back.
type breaker struct {
	*gobreaker.CircuitBreaker[any]
	ping  func() error
	pings singleflight.Group
}

// errLeft is a failure that is no sign of the store's state: the caller cancelled the call or had no time left.
var errLeft = errors.New("the caller left")

// newBreaker returns a breaker that calls ping to learn whether a server responds.
func newBreaker(ping func() error, onUnavailable func(bool)) *breaker {
	return &breaker{ping: ping, CircuitBreaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Timeout:     probeAfter,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsExcluded:  func(err error) bool { return errors.Is(err, errLeft) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed || to == gobreaker.StateClosed {
				onUnavailable(to != gobreaker.StateClosed)
			}
		},
	})}
}

// isUnanswered reports whether an error means that the store did not answer. A store that refuses writes answers.
func isUnanswered(err error) bool {
	return errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrWriteRefused) && !errors.Is(err, ErrDamaged)
}

// run makes a call unless the breaker is open. It returns the error of the call, or of the breaker.
func (b *breaker) run(ctx context.Context, send func() error) error {
	if b.State() == gobreaker.StateHalfOpen {
		if _, err := b.Execute(func() (any, error) { return nil, b.ping() }); err != nil {
			return rejection(err)
		}
	}
	var sent error
	_, err := b.Execute(func() (any, error) {
		sent = send()
		switch {
		case sent != nil && ctx.Err() != nil:
			return nil, errLeft
		case !isUnanswered(sent) || b.Counts().ConsecutiveFailures >= tripAfter-1 && b.responds():
			return nil, nil
		}
		return nil, sent
	})
	if sent != nil {
		return sent
	}
	return rejection(err)
}

// responds pings the store. Callers at the same time share one ping.
func (b *breaker) responds() bool {
	_, err, _ := b.pings.Do("", func() (any, error) { return nil, b.ping() })
	return err == nil
}

// rejection returns the error of a breaker as ErrUnavailable.
func rejection(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// call calls the store. It returns ErrUnavailable when the breaker rejects the call, ErrTooManyCalls when the context
// allows no further call.
func call[T any](ctx context.Context, c *Conn, send func(context.Context) (T, error)) (out T, err error) {
	if err := admit(ctx); err != nil {
		return out, err
	}
	limited, cancel := c.limited(ctx)
	defer cancel()
	limited = withLimitedTries(limited, cancel)
	attempt := func() error {
		var err error
		out, err = send(limited)
		return callError(ctx, err)
	}
	if c.breaker == nil {
		err = attempt()
	} else {
		err = c.breaker.run(ctx, attempt)
	}
	c.noteRefusal(err)
	return out, err
}

// refusalNoted is how long after a refused write the store counts as refusing writes.
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

// retried returns a read that is tried a second time when the server says that it cannot answer, or the connection
// broke. Because the context has a deadline, the driver would retry without a pause until then: thousands of commands
// to a failing server.
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

// callError returns the error of a call of the store. If the caller left, that is the reason, whatever the driver says.
// Otherwise the driver cancelled the call because it gave up the connection.
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

func (c *Conn) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	least, _ := ctx.Value(timeoutKey{}).(time.Duration)
	return context.WithTimeout(ctx, max(c.timeout, least))
}

// longTimeout bounds one command that reads or writes a lot.
const longTimeout = time.Minute

type timeoutKey struct{}

// WithTimeout returns a context that gives each call at least this time.
func WithTimeout(ctx context.Context, least time.Duration) context.Context {
	already, _ := ctx.Value(timeoutKey{}).(time.Duration)
	return context.WithValue(ctx, timeoutKey{}, max(already, least))
}

// WithLongTimeout returns a context for calls that read or write a lot: each has at least a minute.
func WithLongTimeout(ctx context.Context) context.Context { return WithTimeout(ctx, longTimeout) }

// unlimited is a timeout that never passes.
const unlimited = time.Duration(1 << 62)

// WithStartTimeout returns a context for the commands by which a program starts. Each has at least a minute, and no
// limit if the server is in the same process.
func WithStartTimeout(ctx context.Context, inProcess bool) context.Context {
	if inProcess {
		return WithTimeout(ctx, unlimited)
	}
	return WithLongTimeout(ctx)
}

// Circuit returns the state of the circuit breaker: "closed" when calls reach the store, "open" when they are rejected,
// "half-open" while one call probes the store.
func (c *Conn) Circuit() string {
	if c.breaker == nil {
		return gobreaker.StateClosed.String()
	}
	return c.breaker.State().String()
}
