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

// What a stream sends shows what access rules and credential allowed when it was added. These limits bound how old that
// is when the client receives it.
const (
	// flushBytes is how much is collected before it is sent.
	flushBytes = 64 << 10
	// FlushTimeout is how long a client may take to receive what is sent at once.
	FlushTimeout = 1500 * time.Millisecond
	// sendBuffer is the size of a connection's buffer in the kernel, which by itself grows to megabytes.
	sendBuffer = 16 << 10
)

// EventStream is a response of server-sent events. Its methods are called by one goroutine at a time.
type EventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
	failed  error
}

// NewEventStream begins the response. The time limits of the server for a request do not apply to it any more: each
// write has its own.
func NewEventStream(w http.ResponseWriter) *EventStream {
	s := &EventStream{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // not supported only by the writers of tests
	BeginEvents(w)
	return s
}

// BeginEvents writes the headers of server-sent events.
func BeginEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // nginx passes on each event at once
	w.WriteHeader(http.StatusOK)
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
		if len(data) < flushBytes {
			s.buffer.Write(data)
		} else { // no copy of it waits
			s.sendBuffer()
			s.send(data)
		}
		s.buffer.WriteByte('\n')
	}
	s.buffer.WriteByte('\n')
}

// Begin appends how long clients wait before they connect again, and the id after which one continues that has received
// nothing.
func (s *EventStream) Begin(start string) {
	s.AddRetry()
	s.Add(start, "", nil)
}

// AddRetry appends how long clients wait before they connect again.
func (s *EventStream) AddRetry() {
	s.buffer.WriteString("retry: " + strconv.Itoa(int(reconnectDelay/time.Millisecond)) + "\n")
}

// Idle appends a comment, and an id after which the client can resume unless it is empty.
func (s *EventStream) Idle(id string) {
	s.buffer.WriteString(":\n")
	s.Add(id, "", nil)
}

// AddComment appends a comment of one line, which clients ignore and people see.
func (s *EventStream) AddComment(text string) { s.buffer.WriteString(": " + text + "\n\n") }

// Turn reserves the connection until done: a stream of events has one of its own.
func (s *EventStream) Turn(context.Context) (done func(), err error) { return func() {}, nil }

// Full reports whether so much was added that it must be sent.
func (s *EventStream) Full() bool { return s.buffer.Len() >= flushBytes }

// Flush sends what was added. The error means that the client has left, or does not receive.
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

// End sends the last event. Browsers connect again by themselves.
func (s *EventStream) End(why *StreamEnd) {
	data, _ := json.Marshal(why) // two texts
	s.AddRetry()
	s.Add("", why.Event, data)
	_ = s.Flush()
}

// LastEventID returns the id that clients add when they connect again: browsers as a header, replacements of
// EventSource that cannot set one as a query parameter. It is empty without either; the header takes precedence.
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
