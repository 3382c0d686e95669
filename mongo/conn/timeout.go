package conn

import (
	"context"
	"time"
)

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
