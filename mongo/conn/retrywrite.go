package conn

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/event"
)

// On a replica set the driver retries a write after some errors under the same transaction number, so it is applied
// once. Because the context has a deadline, the driver retries without a pause until then: a server that keeps failing
// gets tens of thousands of commands a second. So the second try is the last: a third ends the call. Before the second
// try the call waits for a primary, see serverWatch.

// maxTries is how often a write is sent.
const maxTries = 2

// sentWrite counts how often the driver has sent the latest write of a call.
type sentWrite struct {
	number int64 // rises with each write of a session
	tries  int
	stop   context.CancelFunc
}

type sentWriteKey struct{}

// withLimitedTries returns the context of a call. stop ends the call when it has sent a write too often.
func withLimitedTries(ctx context.Context, stop context.CancelFunc) context.Context {
	return context.WithValue(ctx, sentWriteKey{}, &sentWrite{stop: stop})
}

// limitTries makes a monitor also limit the tries of writes.
func limitTries(m *event.CommandMonitor, servers *serverWatch) *event.CommandMonitor {
	limited := event.CommandMonitor{}
	if m != nil {
		limited = *m
	}
	started, failed := limited.Started, limited.Failed
	limited.Started = func(ctx context.Context, e *event.CommandStartedEvent) {
		if started != nil {
			started(ctx, e)
		}
		// A call sends one command after another, so no lock is needed. All commands of a transaction have its number,
		// and the driver retries none of them.
		_, transaction := e.Command.Lookup("autocommit").BooleanOK()
		if w, ok := ctx.Value(sentWriteKey{}).(*sentWrite); ok && !transaction {
			if number, ok := e.Command.Lookup("txnNumber").Int64OK(); ok {
				w.sent(number)
			}
		}
	}
	limited.Failed = func(ctx context.Context, e *event.CommandFailedEvent) { // before the driver tries again
		if failed != nil {
			failed(ctx, e)
		}
		if w, ok := ctx.Value(sentWriteKey{}).(*sentWrite); ok && w.tries > 0 && !servers.await(ctx, primary) {
			w.stop()
		}
	}
	return &limited
}

func (w *sentWrite) sent(number int64) {
	if number != w.number {
		w.number, w.tries = number, 0
	}
	w.tries++
	if w.tries > maxTries {
		w.stop()
	}
}
