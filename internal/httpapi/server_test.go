package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// Requests as bytes on a raw connection. After each, a second request is sent; it is
// served only where the connection may go on.
func TestFraming(t *testing.T) {
	const plainError = "plain"
	cases := map[string]struct {
		request string
		status  int
		name    string // of the error, plainError if net/http writes it
		goesOn  bool
	}{
		"no body": {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, "", true},
		"length":  {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 200, "", true},
		"chunked": {
			"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 200, "",
			false,
		},
		"length and chunks": {
			"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
			200, "", false,
		},
		"chunks in HTTP/1.0": {
			"POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
			200, "", false,
		},
		"two lengths": {
			"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400,
			plainError, false,
		},
		"coding twice": {
			"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			501, plainError, false,
		},
		"broken chunk": {
			"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400,
			"MalformedPayload", false,
		},
		"too large by its length": {
			"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n{", 413, "PayloadTooLarge",
			false,
		},
		"too large, chunks": {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" +
			strings.Repeat(" ", 100_000) + "\r\n0\r\n\r\n", 413, "PayloadTooLarge", false},
		"huge header": {
			"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("a", 40_000) + "\r\n\r\n", 431,
			plainError, false,
		},
		"folded header": {"GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 200, "", true},
		"star":          {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200, "", true},
	}
	h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := httpapi.ReadJSON(w, r, httpapi.DefaultMaxBody); err != nil {
				api.Errors.Write(w, r, err)
				return
			}
			httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(`{}`), MaxAge: time.Minute, Scope: graph.Shared})
		})
	})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
			go fmt.Fprint(conn, c.request, "GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
			in := bufio.NewReader(conn)
			first, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(first.Body)
			if err != nil {
				t.Fatal(err)
			}
			if first.StatusCode != c.status {
				t.Errorf("status %d, want %d", first.StatusCode, c.status)
			}
			if c.name == plainError {
				if _, err := http.ReadResponse(in, nil); err == nil {
					t.Error("the connection goes on")
				}
				return
			}
			for _, name := range []string{
				"Version", "X-Content-Type-Options", "Vary", "Date", "Expires", "Cache-Control",
				"Content-Length",
			} {
				if len(first.Header.Values(name)) != 1 {
					t.Errorf("%s: %q", name, first.Header.Values(name))
				}
			}
			var failure struct {
				Error, Detail string
				Code          int
			}
			if err := json.Unmarshal(body, &failure); err != nil || first.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %q: %v", first.Header.Get("Content-Type"), body, err)
			}
			if c.status != 200 && (failure.Code != c.status || failure.Error != c.name || failure.Detail == "") {
				t.Errorf("%s, want %s", body, c.name)
			}
			second, err := http.ReadResponse(in, nil)
			if goesOn := err == nil; goesOn != c.goesOn {
				t.Errorf("connection goes on: %v, want %v", goesOn, c.goesOn)
			}
			if err == nil {
				_ = second.Body.Close()
			}
		})
	}
}
