package door_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/door"
	"gamedata/graph"
)

// Requests as bytes on a raw connection. After each, a second request is sent; it is
// answered only where the connection may go on.
func TestFraming(t *testing.T) {
	cases := map[string]struct {
		request string
		status  int
		goesOn  bool
	}{
		"no body":           {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, true},
		"length":            {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 200, true},
		"chunked":           {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 200, false},
		"length and chunks": {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 200, false},
		"two lengths":       {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, false},
		"signed length":     {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}", 400, false},
		"unknown coding":    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, false},
		"coding twice":      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501, false},
		"broken chunk":      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, false},
		"too large, told":   {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n{", 413, false},
		"too large, chunks": {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" + strings.Repeat(" ", 100_000) + "\r\n0\r\n\r\n", 413, false},
		"huge header":       {"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("a", 40_000) + "\r\n\r\n", 431, false},
		"no host":           {"GET / HTTP/1.1\r\n\r\n", 400, false},
		"star":              {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200, true},
	}
	h := open(t, nil, func(d *door.Door) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := door.ReadJSON(w, r, d.MaxBody()); err != nil {
				d.Error(w, r, err)
				return
			}
			d.Write(w, r, door.Answer{Body: []byte(`{}`), MaxAge: time.Minute, Scope: graph.Shared})
		})
	})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			go fmt.Fprint(conn, c.request, "GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
			in := bufio.NewReader(conn)
			first, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, first.Body)
			if first.StatusCode != c.status {
				t.Errorf("status %d, want %d", first.StatusCode, c.status)
			}
			if first.StatusCode == 200 && first.Header.Get("Version") == "" {
				t.Error("answered without the headers of every answer")
			}
			second, err := http.ReadResponse(in, nil)
			if goesOn := err == nil; goesOn != c.goesOn {
				t.Errorf("connection goes on: %v, want %v", goesOn, c.goesOn)
			}
			if err == nil {
				second.Body.Close()
			}
		})
	}
}
