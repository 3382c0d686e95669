package httpapi

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"strconv"

	"gamedata/graph"
)

// Listener gives the errors that net/http writes by itself (framing, headers that are too large,
// unreadable request lines) the body and headers of every other error. net/http writes each of them
// to the connection at once and in one form.
func (a *API) Listener(l net.Listener) net.Listener { return &listener{l, a} }

type listener struct {
	net.Listener
	api *API
}

func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &errorConn{Conn: conn, api: l.api}, nil
}

type connectionKey struct{}

// withConnection is the ConnContext of the server.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// errorConn is a connection that replaces net/http's own errors.
type errorConn struct {
	net.Conn
	api *API

	joinNext bool   // the next bytes wait for those after them
	waiting  []byte // these bytes
}

// writeBuffer is the size of net/http's buffer of a connection.
const writeBuffer = 4 << 10

// maxJoined is how many bytes are copied to be sent with those that wait.
const maxJoined = 12 << 10

// joinWrites sends a response that does not fit into net/http's buffer with one call instead of two: such a call is a
// fifth of the time of a cached response (BenchmarkCached).
func (s *requestState) joinWrites() {
	if c, ok := s.connection.Value(connectionKey{}).(*errorConn); ok {
		c.joinNext = true
	}
}

func (c *errorConn) Write(b []byte) (int, error) {
	sent := len(b)
	switch {
	case c.joinNext:
		c.joinNext, c.waiting = false, append(c.waiting, b...)
		return len(b), nil
	case len(c.waiting) > 0:
		first := c.waiting
		c.waiting = c.waiting[:0]
		if len(b) <= maxJoined {
			first, b = append(first, b...), nil
			c.waiting = first[:0]
		}
		_, err := c.Conn.Write(first)
		if err == nil && len(b) > 0 {
			_, err = c.Conn.Write(b)
		}
		c.resetWhenLate(err)
		return sent, err
	}
	replacement := c.api.framingError(b)
	if replacement == nil {
		n, err := c.Conn.Write(b)
		c.resetWhenLate(err)
		return n, err
	}
	if _, err := c.Conn.Write(replacement); err != nil {
		return 0, err
	}
	return len(b), nil
}

// resetWhenLate resets the connection of a client that took nothing in time. Closing it alone leaves what was not sent
// to the kernel, for as long as the client has no room for it.
func (c *errorConn) resetWhenLate(err error) {
	if conn, ok := c.Conn.(*net.TCPConn); ok && errors.Is(err, os.ErrDeadlineExceeded) {
		_ = conn.SetLinger(0)
	}
}

// CloseWrite lets net/http half-close the connection, so that a client can read the error.
func (c *errorConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainErrorHeaders are all headers of an error that net/http writes; no handler's response begins with them.
var plainErrorHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// framingError returns what to write instead of an error of net/http, nil for anything else.
func (a *API) framingError(b []byte) []byte {
	if len(b) > 1024 || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) {
		return nil
	}
	line, _, found := bytes.Cut(b, plainErrorHeaders)
	if !found || bytes.ContainsAny(line, "\r\n") || len(line) < len("HTTP/1.1 400") {
		return nil
	}
	e := graph.ErrMalformedRequest
	switch string(line[len("HTTP/1.1 "):][:3]) {
	case "431":
		e = graph.ErrHeadersTooLarge
	case "501":
		e = graph.ErrTransferCoding
	case "505":
		e = graph.ErrHTTPVersion
	}
	resp := a.Errors.Response(e)
	_, name := Status(e.Code)
	var out bytes.Buffer
	out.WriteString("HTTP/1.1 " + strconv.Itoa(resp.Status) + " " + name + "\r\nConnection: close\r\n")
	for _, h := range staticHeaders {
		out.WriteString(h.name + ": " + h.value[0] + "\r\n")
	}
	now := dates.format(a.o.Now())
	out.WriteString("Date: " + now + "\r\nExpires: " + now + "\r\nCache-Control: " + noStore + "\r\nContent-Length: " +
		strconv.Itoa(len(resp.Body)) + "\r\n\r\n")
	out.Write(resp.Body)
	return out.Bytes()
}
