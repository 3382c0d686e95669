package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
)

// Access rules and credentials are checked when an event is added to a stream. These limits bound the time until the
// client receives it.
const (
	// flushBytes is how many bytes are buffered before they are sent.
	flushBytes = 64 << 10
	// FlushTimeout is how long a client may take to receive one flush.
	FlushTimeout = 1500 * time.Millisecond
	// sendBuffer is the size of a connection's kernel buffer, which would otherwise grow to megabytes.
	sendBuffer = 16 << 10
)

// EventStream is a response of server-sent events. Its methods are called by one goroutine at a time.
type EventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
	failed  error
}

// NewEventStream begins the response. It lifts the server's time limits for a request: each write has its own limit.
func NewEventStream(w http.ResponseWriter) *EventStream {
	s := &EventStream{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // only test writers do not support it
	BeginEvents(w)
	return s
}

// BeginEvents writes the headers of server-sent events.
func BeginEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // makes nginx forward each event at once
	w.WriteHeader(http.StatusOK)
}

// Add buffers an event for Flush. It omits an empty id or event and nil data. The data is JSON without line breaks, or
// empty.
func (s *EventStream) Add(id, event string, data []byte) {
	if id != "" {
		s.buffer.WriteString("id: " + id + "\n")
	}
	if event != "" {
		s.buffer.WriteString("event: " + event + "\n")
	}
	if data != nil {
		s.buffer.WriteString("data: ")
		if len(data) < flushBytes {
			s.buffer.Write(data)
		} else { // saves a copy in the buffer
			s.sendBuffer()
			s.send(data)
		}
		s.buffer.WriteByte('\n')
	}
	s.buffer.WriteByte('\n')
}

// Begin writes the reconnect delay, and the id from which a client resumes that has received no event yet.
func (s *EventStream) Begin(start string) {
	s.AddRetry()
	s.Add(start, "", nil)
}

// AddRetry appends the reconnect delay for clients.
func (s *EventStream) AddRetry() {
	s.buffer.WriteString("retry: " + strconv.Itoa(int(reconnectDelay/time.Millisecond)) + "\n")
}

// Idle appends a keep-alive comment. A non-empty id tells the client where to resume.
func (s *EventStream) Idle(id string) {
	s.buffer.WriteString(":\n")
	s.Add(id, "", nil)
}

// AddComment appends a one-line comment for human readers; clients ignore it.
func (s *EventStream) AddComment(text string) { s.buffer.WriteString(": " + text + "\n\n") }

// Turn does nothing: a stream of events has its own connection.
func (s *EventStream) Turn(context.Context) (done func(), err error) { return func() {}, nil }

// Full reports whether the buffer must be flushed.
func (s *EventStream) Full() bool { return s.buffer.Len() >= flushBytes }

// Flush sends the buffer. An error means that the client has left or stopped reading.
func (s *EventStream) Flush() error {
	s.sendBuffer()
	if s.failed == nil {
		s.failed = s.control.Flush()
	}
	return s.failed
}

func (s *EventStream) sendBuffer() {
	s.send(s.buffer.Bytes())
	s.buffer.Reset()
	if s.buffer.Cap() > flushBytes {
		s.buffer = bytes.Buffer{}
	}
}

func (s *EventStream) send(text []byte) {
	if s.failed == nil {
		_ = s.control.SetWriteDeadline(time.Now().Add(FlushTimeout))
		_, s.failed = s.w.Write(text)
	}
}

// End sends the last event. Browsers reconnect by themselves.
func (s *EventStream) End(why *StreamEnd) {
	data, _ := json.Marshal(why) // two texts
	s.AddRetry()
	s.Add("", why.Event, data)
	_ = s.Flush()
}

// LastEventID returns the id that clients send when they reconnect: browsers in a header, EventSource polyfills that
// cannot set headers in a query parameter. The header takes precedence; without either the id is empty.
func LastEventID(r *http.Request) (string, *graph.Error) {
	sent := r.Header.Values("Last-Event-ID")
	if len(sent) == 0 {
		sent = r.URL.Query()["lastEventId"]
	}
	switch len(sent) {
	case 0:
		return "", nil
	case 1:
		return sent[0], nil
	}
	return "", graph.Errorf(graph.InvalidQueryParams, "after, or Last-Event-ID, must be the id of an event.")
}
