package conn

import (
	"context"
	"errors"
	"fmt"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

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
