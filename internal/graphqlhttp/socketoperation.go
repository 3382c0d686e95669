package graphqlhttp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Each operation on a socket is a separate request, with the credential of the socket: it passes the middleware, is
// charged, cached and limited like any other request.

// maxOperations is how many run at once on a socket.
const maxOperations = 20

func (s *socket) subscribe(ctx context.Context, m message) bool {
	s.mu.Lock()
	ready, running := s.viewer != nil, len(s.operations)
	_, duplicate := s.operations[m.ID]
	s.mu.Unlock()
	switch {
	case !ready:
		s.close(closeUnauthorized, "Unauthorized")
		return false
	case m.ID == "" || len(m.Payload) == 0:
		s.close(closeInvalidMessage, "Invalid message")
		return false
	case duplicate:
		s.close(closeDuplicate, "Subscriber for "+m.ID[:min(len(m.ID), 40)]+" already exists")
		return false
	case running >= maxOperations:
		err := graph.Errorf(graph.TooManyRequests, "At most %d operations at once: complete one first.", maxOperations)
		return s.send(ctx, errorMessage(m.ID, errorBody(listOf(err)))) == nil
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.operations[m.ID] = cancel
	s.mu.Unlock()
	s.work.Go(func() { s.run(ctx, cancel, m) })
	return true
}

// run runs an operation and sends its results.
func (s *socket) run(ctx context.Context, cancel context.CancelFunc, m message) {
	defer cancel()
	op := &socketOperation{ctx: ctx, socket: s, id: m.ID}
	var body []byte
	release, bad := s.h.api.Backlog.Acquire(ctx, m.Payload)
	if bad == nil {
		defer release()
		rec := httpapi.NewRecorder()
		s.h.api.Middleware(s.h).ServeHTTP(rec, httpapi.Nested(context.WithValue(ctx, socketKey{}, op), s.request,
			http.MethodPost, &url.URL{Path: Path}, s.header, m.Payload))
		body = rec.Body.Bytes()
		release, bad = s.h.api.Backlog.Acquire(ctx, body)
	}
	if bad != nil {
		body = errorBody(listOf(bad))
	} else {
		defer release()
	}
	if ctx.Err() != nil {
		return // the client completed the operation or disconnected
	}
	s.mu.Lock()
	delete(s.operations, m.ID) // before the last message: then the client may reuse the id
	s.mu.Unlock()
	last := []message{{ID: m.ID, Type: "complete"}}
	var members map[string]json.RawMessage
	switch {
	case op.why != nil:
		last = op.lastMessage()
	case json.Unmarshal(body, &members) == nil && members["data"] != nil:
		last = []message{{ID: m.ID, Type: "next", Payload: body}, last[0]}
	default:
		last = []message{errorMessage(m.ID, body)}
	}
	for _, m := range last {
		if s.send(ctx, m) != nil {
			s.cancel()
		}
	}
}

// errorMessage ends an operation with the errors of a body.
func errorMessage(id string, body []byte) message {
	var errors struct{ Errors json.RawMessage }
	if json.Unmarshal(body, &errors) != nil || errors.Errors == nil {
		_ = json.Unmarshal(errorBody(listOf(graph.ErrInternal)), &errors)
	}
	return message{ID: id, Type: "error", Payload: errors.Errors}
}

type socketKey struct{}

// socketSink returns the sink of an operation over a WebSocket; false for other requests.
func socketSink(ctx context.Context) (sink, bool) {
	op, ok := ctx.Value(socketKey{}).(*socketOperation)
	return op, ok
}

// socketOperation sends the results of a subscription.
type socketOperation struct {
	ctx    context.Context
	socket *socket
	id     string
	why    *httpapi.StreamEnd
}

var _ sink = (*socketOperation)(nil)

func (o *socketOperation) Begin(string) {}

func (o *socketOperation) Turn(ctx context.Context) (done func(), err error) {
	return o.socket.turn(ctx)
}

func (o *socketOperation) next(_ string, result []byte) error {
	return o.socket.write(o.ctx, httpapi.FlushTimeout, message{ID: o.id, Type: "next", Payload: result})
}

func (o *socketOperation) Idle(string)                {}
func (o *socketOperation) Full() bool                 { return false }
func (o *socketOperation) Flush() error               { return nil }
func (o *socketOperation) end(why *httpapi.StreamEnd) { o.why = why }

// lastMessage ends a subscription that was too slow. Any other reason ends the whole socket, and the client reconnects.
func (o *socketOperation) lastMessage() []message {
	if o.why != httpapi.StreamTooSlow {
		o.socket.end(o.why)
		return nil
	}
	return []message{errorMessage(o.id, errorBody(endErrors(o.why)))}
}
