package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
)

// streamWriteTimeout is how long a client may take to receive what is sent at once.
const streamWriteTimeout = 30 * time.Second

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
