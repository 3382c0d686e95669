package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Defaults of StreamOptions.
const (
	DefaultMaxStreams      = 10_000
	DefaultStreamsOfCaller = 20
)

// Times of streams.
const (
	// Heartbeat is the longest time without a byte: proxies end connections on which nothing happens.
	Heartbeat = 15 * time.Second
	// CredentialCheck is the time between two checks of a stream's credential. What the check finds is at most 4 seconds
	// old, so a revoked credential ends its streams within 5.
	CredentialCheck = time.Second
	// unverifiedFor is how long a stream continues while its credential cannot be checked.
	unverifiedFor = 5 * time.Second
	// streamWriteTimeout is how long a client may take to receive what is sent at once.
	streamWriteTimeout = 30 * time.Second
	// reconnectDelay is how long clients wait before they connect again.
	reconnectDelay = 2 * time.Second
)

// StreamOptions limit streams: responses that last as long as the caller listens. The zero value means the defaults.
type StreamOptions struct {
	Max       int // of this instance
	PerCaller int // of one caller, as rate limits count callers
	// OnEnd is called when a stream ends, with the reason of a StreamEnd or StreamLeft; may be nil.
	OnEnd func(reason string)
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

	closing chan struct{}
	close   func()
}

func newStreams(o StreamOptions, limiter *RateLimiter) *Streams {
	if o.Max <= 0 {
		o.Max = DefaultMaxStreams
	}
	if o.PerCaller <= 0 {
		o.PerCaller = DefaultStreamsOfCaller
	}
	s := &Streams{o: o, limiter: limiter, callers: map[string]int{}, closing: make(chan struct{})}
	s.close = sync.OnceFunc(func() { close(s.closing) })
	return s
}

// Closing is closed when streams must end because the service stops.
func (s *Streams) Closing() <-chan struct{} { return s.closing }

// Close ends streams that wait for Closing.
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

// CountDelivered counts events that were sent.
func (s *Streams) CountDelivered(n int) { s.delivered.Add(int64(n)) }

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

// Acquire counts a stream of the caller of a request; release ends it. The error is TOO_MANY_REQUESTS when the caller
// has too many, SERVICE_UNAVAILABLE when all callers together have.
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
		if s.callers[key]--; s.callers[key] == 0 {
			delete(s.callers, key)
		}
	}), nil
}

// StreamContext returns the context of a stream. Unlike that of other requests it ends when the client closes the
// connection, or its sending side only.
func StreamContext(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(stateFrom(ctx).connection, cancel)
	return out, func() { stop(); cancel() }
}

// LastEventID returns the header that browsers send when they connect again; empty without one.
func LastEventID(r *http.Request) (string, *graph.Error) {
	sent := r.Header.Values("Last-Event-ID")
	switch len(sent) {
	case 0:
		return "", nil
	case 1:
		return sent[0], nil
	}
	return "", graph.Errorf(graph.InvalidQueryParams, "after, or Last-Event-ID, must be the id of an event.")
}

// EventStream is a response of server-sent events. Its methods are called by one goroutine at a time.
type EventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
}

// NewEventStream begins the response. The time limits of the server for a request do not apply to it any more: each
// write has its own.
func NewEventStream(w http.ResponseWriter) *EventStream {
	s := &EventStream{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // not supported only by the writers of tests
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // nginx passes on each event at once
	w.WriteHeader(http.StatusOK)
	return s
}

// Add appends an event to what Flush sends. An empty id or event and nil data are left out. The data is a JSON text
// without line breaks, or empty.
func (s *EventStream) Add(id, event string, data []byte) {
	if id != "" {
		s.buffer.WriteString("id: " + id + "\n")
	}
	if event != "" {
		s.buffer.WriteString("event: " + event + "\n")
	}
	if data != nil {
		s.buffer.WriteString("data: ")
		s.buffer.Write(data)
		s.buffer.WriteByte('\n')
	}
	s.buffer.WriteByte('\n')
}

// AddRetry appends how long clients wait before they connect again.
func (s *EventStream) AddRetry() {
	s.buffer.WriteString("retry: " + strconv.Itoa(int(reconnectDelay/time.Millisecond)) + "\n")
}

// AddHeartbeat appends a comment, and an id after which the client can resume unless it is empty.
func (s *EventStream) AddHeartbeat(id string) {
	s.buffer.WriteString(":\n")
	s.Add(id, "", nil)
}

// AddComment appends a comment of one line, which clients ignore and people see.
func (s *EventStream) AddComment(text string) { s.buffer.WriteString(": " + text + "\n\n") }

// Flush sends what was added. The error means that the client has left, or does not receive.
func (s *EventStream) Flush() error {
	_ = s.control.SetWriteDeadline(time.Now().Add(streamWriteTimeout))
	_, err := s.w.Write(s.buffer.Bytes())
	s.buffer.Reset()
	if s.buffer.Cap() > 64<<10 {
		s.buffer = bytes.Buffer{}
	}
	if err != nil {
		return err
	}
	return s.control.Flush()
}

// StreamEnd is why the service ends a stream.
type StreamEnd struct {
	// Event is the name of the last event: reconnect when the client may resume at once, else end.
	Event  string     `json:"-"`
	Reason graph.Code `json:"reason"`
	Detail string     `json:"detail"`
}

// Reconnects reports whether the client may continue at once with the same request.
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

// End sends the last event. Browsers connect again by themselves.
func (s *EventStream) End(why *StreamEnd) {
	data, _ := json.Marshal(why) // two texts
	s.AddRetry()
	s.Add("", why.Event, data)
	_ = s.Flush()
}

// StreamViewer is the viewer of a stream, whose credential is checked again while it lasts.
type StreamViewer struct {
	api      *API
	r        *http.Request
	guest    bool
	current  viewer.Viewer
	verified time.Time
	checked  time.Time
}

// StreamViewer returns the viewer of a request that becomes a stream.
func (a *API) StreamViewer(r *http.Request) *StreamViewer {
	v, now := ViewerFrom(r.Context()), time.Now()
	return &StreamViewer{api: a, r: r, guest: v.Is(viewer.Guest), current: v, verified: now, checked: now}
}

// AuthenticateStream returns the viewer of a stream that sent its credential after it began: r has its headers, and the
// context of the request that the middleware saw. A session that has expired makes the viewer a guest.
func (a *API) AuthenticateStream(r *http.Request) (*StreamViewer, *graph.Error) {
	seen := stateFrom(r.Context()).info.Viewer
	guest := viewer.Viewer{Kind: viewer.Guest, Address: seen.Address, CrossSite: seen.CrossSite}
	v, err := authenticate(a.o.Authenticator, r, guest)
	switch {
	case err == graph.ErrInvalidToken && SessionSent(r):
		v = guest
	case err != nil:
		return nil, err
	default:
		v.Address, v.CrossSite = guest.Address, guest.CrossSite
	}
	now := time.Now()
	return &StreamViewer{api: a, r: r, guest: v.Is(viewer.Guest), current: v, verified: now, checked: now}, nil
}

// CheckDue is when the credential must be checked again; ok is false for a guest.
func (s *StreamViewer) CheckDue() (at time.Time, ok bool) {
	return s.checked.Add(CredentialCheck), !s.guest
}

// Check returns the viewer now: other players may be linked than before. The stream must end when it returns why.
func (s *StreamViewer) Check() (viewer.Viewer, *StreamEnd) {
	now := time.Now()
	if due, ok := s.CheckDue(); !ok || now.Before(due) {
		return s.current, nil
	}
	s.checked = now
	v, err := authenticate(s.api.o.Authenticator, s.r, s.current)
	switch {
	case err == nil:
		v.Address, v.CrossSite = s.current.Address, s.current.CrossSite
		s.current, s.verified = v, now
	case err.Code == graph.InvalidToken:
		return s.current, StreamRevoked
	case now.Sub(s.verified) > unverifiedFor:
		return s.current, StreamUnverified
	}
	return s.current, nil
}
