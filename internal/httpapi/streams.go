package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"gamedata/graph"
)

// Defaults of StreamOptions.
const (
	DefaultMaxStreams      = 10_000
	DefaultStreamsOfCaller = 20
)

// Times of streams.
const (
	// Heartbeat is the longest time without a byte: proxies close idle connections.
	Heartbeat = 15 * time.Second
	// reconnectDelay is how long clients wait before they reconnect.
	reconnectDelay = 2 * time.Second
)

// StreamOptions limit streams: responses that last as long as the caller listens. The zero value means the defaults.
type StreamOptions struct {
	Max       int // of this instance
	PerCaller int // of one caller; callers are counted as for rate limits
	// OnEnd is called when a stream ends, with the reason of a StreamEnd or StreamLeft; may be nil.
	OnEnd func(reason string)
	// OnLag is called for each event sent, with the time it waited for the client; may be nil.
	OnLag func(lag time.Duration)
}

// StreamLeft is the reason of streams that the client ended.
const StreamLeft = "CLIENT_LEFT"

// Streams counts the open streams.
type Streams struct {
	o       StreamOptions
	limiter *RateLimiter

	mu      sync.Mutex
	open    int
	callers map[string]int

	delivered atomic.Int64

	closing context.Context
	close   func()
}

func newStreams(o StreamOptions, limiter *RateLimiter) *Streams {
	if o.Max <= 0 {
		o.Max = DefaultMaxStreams
	}
	if o.PerCaller <= 0 {
		o.PerCaller = DefaultStreamsOfCaller
	}
	if o.OnLag == nil {
		o.OnLag = func(time.Duration) {}
	}
	s := &Streams{o: o, limiter: limiter, callers: map[string]int{}}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Closing returns a context that ends when the service stops; streams must then end too.
func (s *Streams) Closing() context.Context { return s.closing }

// Close ends the context that Closing returns, and thereby all streams.
func (s *Streams) Close() { s.close() }

// Wait waits until no stream is open, or ctx ends. The server does not wait for WebSockets by itself.
func (s *Streams) Wait(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for s.Open() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Open returns the number of open streams.
func (s *Streams) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Delivered returns the number of events that were sent.
func (s *Streams) Delivered() int64 { return s.delivered.Load() }

// CountDelivered counts an event sent after it waited for the client for lag.
func (s *Streams) CountDelivered(lag time.Duration) {
	s.delivered.Add(1)
	s.o.OnLag(lag)
}

// CountEnd counts a stream that ended; why is nil when the client left.
func (s *Streams) CountEnd(why *StreamEnd) {
	switch {
	case s.o.OnEnd == nil:
	case why == nil:
		s.o.OnEnd(StreamLeft)
	default:
		s.o.OnEnd(string(why.Reason))
	}
}

// Acquire counts a stream of the caller of a request; release ends it. The error is TOO_MANY_REQUESTS if this caller
// has too many streams open, SERVICE_UNAVAILABLE if all callers together have.
func (s *Streams) Acquire(ctx context.Context) (release func(), err *graph.Error) {
	key := s.limiter.CallerKey(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.callers[key] >= s.o.PerCaller:
		err = graph.Errorf(graph.TooManyRequests, "At most %d streams at once: end one first.", s.o.PerCaller)
		err.RetryAfter = int(reconnectDelay / time.Second)
		return nil, err
	case s.open >= s.o.Max:
		return nil, graph.Errorf(graph.ServiceUnavailable, "Too many streams are open.")
	}
	s.open++
	s.callers[key]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		s.callers[key]--
		if s.callers[key] == 0 {
			delete(s.callers, key)
		}
	}), nil
}

// StreamContext returns the context of a stream. Unlike other requests' contexts it ends when the client closes the
// connection or only its sending side. The connection gets a small buffer.
func StreamContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if conn, ok := ctx.Value(connKey{}).(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = conn.SetWriteBuffer(sendBuffer) // fails when the client has left
	}
	out, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(stateFrom(ctx).connection, cancel)
	return out, func() { stop(); cancel() }
}

// StreamEnd says why the service ends a stream. It is an error too.
type StreamEnd struct {
	// Event is the name of the last event: reconnect when the client may resume at once, else end.
	Event  string     `json:"-"`
	Reason graph.Code `json:"reason"`
	Detail string     `json:"detail"`
}

// Error implements error.
func (e *StreamEnd) Error() string { return e.Detail }

// Reconnects reports whether the client may resume at once with the same request.
func (e *StreamEnd) Reconnects() bool { return e.Event == "reconnect" }

// Why the service ends a stream.
var (
	StreamTooSlow = &StreamEnd{
		"end", graph.TooSlow,
		"Events were not received fast enough. Connect again to continue after the last one received.",
	}
	StreamShutdown   = &StreamEnd{"reconnect", "SHUTDOWN", "The service stops. Connect again to continue."}
	StreamUnverified = &StreamEnd{
		"reconnect", graph.ServiceUnavailable, "The credential cannot be verified now. Connect again to continue.",
	}
	StreamRevoked = &StreamEnd{"end", graph.InvalidToken, "The credential is not valid any more."}
	StreamFailed  = &StreamEnd{
		"reconnect", graph.ServiceUnavailable, "Events cannot be read now. Connect again to continue.",
	}
)
