package graphqlhttp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/semaphore"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// A WebSocket speaks the protocol graphql-transport-ws. Each operation on it is a separate request, with the
// credential of the socket: it passes the middleware, is charged, cached and limited like any other request.

const socketProtocol = "graphql-transport-ws"

// Limits of sockets.
const (
	initTimeout    = 10 * time.Second // from connecting to connection_init
	pongTimeout    = 10 * time.Second
	socketWrite    = 30 * time.Second // how long a client may take to receive a message
	messageMembers = 4 << 10          // bytes of a message besides the body of a request
	maxReason      = 123              // bytes of a close frame besides its code
)

// The codes that close a socket. The codes of the protocol are above 4000.
const (
	closeReconnect   = websocket.StatusServiceRestart
	closeUnavailable = websocket.StatusTryAgainLater

	closeInvalidMessage = websocket.StatusCode(4400)
	closeUnauthorized   = websocket.StatusCode(4401)
	closeForbidden      = websocket.StatusCode(4403)
	closeProtocol       = websocket.StatusCode(4406)
	closeInitTimeout    = websocket.StatusCode(4408)
	closeDuplicate      = websocket.StatusCode(4409)
	closeManyInits      = websocket.StatusCode(4429)
)

func isUpgrade(r *http.Request) bool {
	return slices.ContainsFunc(r.Header["Upgrade"], func(v string) bool { return strings.EqualFold(v, "websocket") })
}

type socket struct {
	h       *Handler
	conn    *websocket.Conn
	request *http.Request // the handshake
	work    sync.WaitGroup
	sending *semaphore.Weighted
	ending  sync.Once
	cancel  context.CancelFunc

	begun     time.Time
	initiated bool // used by the reading goroutine only

	check  *time.Timer // calls watch
	pinged time.Time   // used by watch only

	mu         sync.Mutex
	viewer     *httpapi.StreamViewer // nil until the credential of connection_init was accepted
	header     http.Header           // of the operations
	operations map[string]context.CancelFunc
	why        *httpapi.StreamEnd // why the service ended it
}

// serveSocket serves a WebSocket until it ends. A handshake costs 1 in the bucket SHARED; one from a page of another
// site with a session cookie is rejected, like a mutation.
func (h *Handler) serveSocket(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if httpapi.SessionSent(r) && httpapi.ViewerFrom(ctx).CrossSite {
		h.reject(w, r, listOf(graph.ErrCrossSite))
		return
	}
	if !h.charge(w, r, map[string]int{httpapi.Shared: 1}) {
		return
	}
	release, bad := h.api.Streams.Acquire(ctx)
	if bad != nil {
		h.writeErrors(w, r, listOf(bad))
		return
	}
	conn, failed := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{socketProtocol}, InsecureSkipVerify: true, // origin matters only to sessions: see above
	})
	if failed != nil {
		release()
		return // Accept has responded
	}
	s := &socket{
		h: h, conn: conn, request: r, begun: time.Now(), sending: semaphore.NewWeighted(1),
		operations: map[string]context.CancelFunc{},
	}
	// The request's goroutine would hold 20 kB while the socket is open: net/http's buffers and a deep stack.
	go func() {
		defer release()
		s.serve(ctx)
		h.api.Streams.CountEnd(s.endReason())
	}()
}

func (s *socket) serve(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	defer func() {
		if failure := recover(); failure != nil {
			s.h.o.Log.Error("socket panicked", "error", failure, "stack", string(debug.Stack()))
		}
		s.cancel()
		_ = s.conn.CloseNow()
		s.work.Wait()
	}()
	if s.conn.Subprotocol() != socketProtocol {
		s.close(closeProtocol, "Subprotocol not acceptable")
		return
	}
	s.conn.SetReadLimit(-1) // read enforces the limit
	stop := context.AfterFunc(s.h.api.Streams.Closing(), func() { s.end(httpapi.StreamShutdown) })
	defer stop()
	s.pinged = s.begun
	s.check = time.AfterFunc(time.Hour, func() { s.watch(ctx) }) // a goroutine would hold a stack
	s.check.Reset(httpapi.CredentialCheck)
	defer s.check.Stop()
	for {
		kind, text, err := s.read(ctx)
		if err != nil || !s.receive(ctx, kind, text) {
			return
		}
	}
}

// read reads a message. An oversized message ends the socket; its rest is discarded, because a client that is still
// sending would otherwise see a broken connection instead of the reason.
func (s *socket) read(ctx context.Context) (websocket.MessageType, []byte, error) {
	kind, r, err := s.conn.Reader(ctx)
	if err != nil {
		return 0, nil, err
	}
	const limit = httpapi.DefaultMaxBody + messageMembers
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && len(text) > limit {
		s.close(websocket.StatusMessageTooBig, "Message too big")
		return 0, nil, websocket.ErrMessageTooBig
	}
	return kind, text, err
}

// close ends the socket; the first reason counts. The reason may quote the client: it is cut to fit, between two
// characters.
func (s *socket) close(code websocket.StatusCode, reason string) {
	s.ending.Do(func() {
		_ = s.conn.Close(code, strings.ToValidUTF8(reason[:min(len(reason), maxReason)], ""))
		s.cancel()
	})
}

// end ends the socket and all its subscriptions for a reason.
func (s *socket) end(why *httpapi.StreamEnd) {
	s.mu.Lock()
	s.why = why
	s.mu.Unlock()
	switch why {
	case httpapi.StreamShutdown:
		s.close(closeReconnect, why.Detail)
	case httpapi.StreamRevoked:
		s.close(closeForbidden, "Forbidden")
	default:
		s.close(closeUnavailable, why.Detail)
	}
}

// endReason returns why the service ended the socket; nil if it did not. A check may still be running.
func (s *socket) endReason() *httpapi.StreamEnd {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.why
}

// watch ends the socket when it is not initialised in time, its credential is revoked or its client does not respond to
// a ping. It reschedules itself until the socket ends.
func (s *socket) watch(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	now := time.Now()
	if now.Sub(s.pinged) >= httpapi.Heartbeat {
		s.pinged = now
		go s.ping(ctx)
	}
	switch v := s.credential(); {
	case v != nil:
		if _, why := v.Check(); why != nil {
			s.end(why)
			return
		}
	case now.Sub(s.begun) >= initTimeout:
		s.close(closeInitTimeout, "Connection initialisation timeout")
		return
	}
	s.check.Reset(httpapi.CredentialCheck)
}

func (s *socket) credential() *httpapi.StreamViewer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.viewer
}

// ping ends the socket when the client does not respond.
func (s *socket) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pongTimeout)
	defer cancel()
	if s.conn.Ping(ctx) != nil {
		s.cancel()
	}
}

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// send waits for its turn and sends a message. An error means that the client stopped reading.
func (s *socket) send(ctx context.Context, m message) error {
	done, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	return s.write(ctx, socketWrite, m)
}

// turn waits for exclusive use of the connection for sending, which lasts until done.
func (s *socket) turn(ctx context.Context) (done func(), err error) {
	if err := s.sending.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return func() { s.sending.Release(1) }, nil
}

// write sends a message within a time; its caller has the turn.
func (s *socket) write(ctx context.Context, timeout time.Duration, m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// receive handles a message. It returns false when the socket has ended.
func (s *socket) receive(ctx context.Context, kind websocket.MessageType, text []byte) bool {
	var m message
	if kind != websocket.MessageText || json.Unmarshal(text, &m) != nil {
		s.close(closeInvalidMessage, "Invalid message")
		return false
	}
	switch m.Type {
	case "connection_init":
		return s.initiate(ctx, m.Payload)
	case "ping":
		return s.send(ctx, message{Type: "pong", Payload: m.Payload}) == nil
	case "pong":
		return true
	case "subscribe":
		return s.subscribe(ctx, m)
	case "complete":
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.operations[m.ID]; cancel != nil {
			cancel()
			delete(s.operations, m.ID)
		}
		return true
	}
	s.close(closeInvalidMessage, "Invalid message")
	return false
}

// initiate accepts the credential in connection_init, or else the credential of the handshake.
func (s *socket) initiate(ctx context.Context, payload json.RawMessage) bool {
	if s.initiated {
		s.close(closeManyInits, "Too many initialisation requests")
		return false
	}
	s.initiated = true
	var given map[string]any
	if len(payload) > 0 && json.Unmarshal(payload, &given) != nil {
		s.close(closeInvalidMessage, "Invalid message")
		return false
	}
	header := httpapi.NestedHeader(s.request.Header)
	for name, value := range given {
		if strings.EqualFold(name, "Authorization") {
			text, _ := value.(string) // anything else is as invalid as an empty text
			header["Authorization"] = []string{text}
		}
	}
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/graphql-response+json")
	header.Set(requestedWith, socketProtocol) // the handshake has checked the site
	r := s.request.WithContext(ctx)
	r.Header = header
	v, bad := s.h.api.AuthenticateStream(r)
	if bad != nil {
		if bad.Code == graph.ServiceUnavailable {
			s.close(closeUnavailable, bad.Detail)
		} else {
			s.close(closeForbidden, "Forbidden")
		}
		return false
	}
	s.mu.Lock()
	s.viewer, s.header = v, header
	s.mu.Unlock()
	return s.send(ctx, message{Type: "connection_ack"}) == nil
}
