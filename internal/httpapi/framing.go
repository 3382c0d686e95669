package httpapi

import (
	"bytes"
	"encoding/json"
	"net"
	"strconv"

	"gamedata/graph"
)

// Listener gives what net/http refuses before it is anybody's request (framing, headers that
// are too large, a path that cannot be read) the body and headers of every other refusal.
// net/http writes such refusals to the connection itself, each at once and in one form.
func (d *Door) Listener(l net.Listener) net.Listener { return &listener{l, d} }

type listener struct {
	net.Listener
	door *Door
}

func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &documented{conn, l.door}, nil
}

// documented is a connection on which refusals are documented.
type documented struct {
	net.Conn
	door *Door
}

func (c *documented) Write(b []byte) (int, error) {
	refusal := c.door.unframed(b)
	if refusal == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(refusal); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite is how net/http lets a client read a refusal before the connection ends.
func (c *documented) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// unframedHeaders are all that net/http sends with a refusal of its own; no handler's answer
// begins so.
var unframedHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// unframed is what to write instead of a refusal of net/http, nil for anything else.
func (d *Door) unframed(b []byte) []byte {
	if len(b) > 1024 || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) {
		return nil
	}
	line, _, found := bytes.Cut(b, unframedHeaders)
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
	status, name := Status(e.Code)
	body, err := json.Marshal(errorBody{Error: name, Detail: e.Detail, Code: status})
	if err != nil { // strings and a number always marshal
		return nil
	}
	var out bytes.Buffer
	out.WriteString("HTTP/1.1 " + strconv.Itoa(status) + " " + name + "\r\nConnection: close\r\n")
	for _, h := range d.always {
		out.WriteString(h.name + ": " + h.value[0] + "\r\n")
	}
	now := d.date.of(d.o.Now())
	out.WriteString("Date: " + now + "\r\nExpires: " + now + "\r\nCache-Control: " + noStore + "\r\nContent-Length: " +
		strconv.Itoa(len(body)) + "\r\n\r\n")
	out.Write(body)
	return out.Bytes()
}
