package httpapi

import (
	"context"
	"sync"

	"gamedata/graph"
)

const (
	// maxBacklog limits the bytes waiting to be written to all callers, maxCallerBacklog to one caller. A single
	// waiting response may be larger.
	maxBacklog       = 64 << 20
	maxCallerBacklog = 8 << 20
	// meteredBytes is the smallest response that counts: smaller ones fit into the connection's buffers.
	meteredBytes = 16 << 10
)

// Backlog limits the bytes waiting to be written: responses, results of subscriptions, and memory of open
// subscriptions. A body shared by several requests, such as a cached one, counts once.
type Backlog struct {
	limiter *RateLimiter

	mu      sync.Mutex
	all     waiting
	callers map[string]*waiting
}

// waiting sums up the waiting bodies and counts the requests that wait for each.
type waiting struct {
	bytes  int
	bodies map[*byte]int
}

func (w *waiting) fits(body *byte, size, limit int) bool {
	return w.bodies[body] > 0 || w.bytes+size <= limit
}

func (w *waiting) add(body *byte, size int) {
	if w.bodies[body]++; w.bodies[body] == 1 {
		w.bytes += size
	}
}

func (w *waiting) remove(body *byte, size int) {
	if w.bodies[body]--; w.bodies[body] == 0 {
		delete(w.bodies, body)
		w.bytes -= size
	}
}

// Acquire counts a body for the caller of a request until release. The error is TOO_MANY_REQUESTS if this caller's
// bodies exceed the limit, SERVICE_UNAVAILABLE if all callers' bodies do.
func (b *Backlog) Acquire(ctx context.Context, body []byte) (release func(), err *graph.Error) {
	if len(body) < meteredBytes {
		return func() {}, nil
	}
	return b.acquire(ctx, &body[0], len(body))
}

// Hold counts memory that an open request occupies apart from a body.
func (b *Backlog) Hold(ctx context.Context, size int) (release func(), err *graph.Error) {
	return b.acquire(ctx, new(byte), size)
}

func (b *Backlog) acquire(ctx context.Context, body *byte, size int) (release func(), err *graph.Error) {
	key := b.limiter.CallerKey(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.callers[key]
	if own == nil {
		own = &waiting{bodies: map[*byte]int{}}
	}
	switch {
	case own.bytes > 0 && !own.fits(body, size, maxCallerBacklog):
		err = graph.Errorf(graph.TooManyRequests,
			"More than %d MiB would wait to be sent to you: read earlier responses first.", maxCallerBacklog>>20)
		err.RetryAfter = int(reconnectDelay.Seconds())
		return nil, err
	case !b.all.fits(body, size, maxBacklog):
		return nil, graph.ErrUnavailable
	}
	b.callers[key] = own
	own.add(body, size)
	b.all.add(body, size)
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.all.remove(body, size)
		own.remove(body, size)
		if len(own.bodies) == 0 {
			delete(b.callers, key)
		}
	}), nil
}
