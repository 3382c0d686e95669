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
	const length, chunked, chunks = "Content-Length: 2\r\n", "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"
	post := func(headers, body string) string { return "POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body }
	get := func(headers string) string { return "GET / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" }
	keepAlive := strings.Replace(post("Connection: keep-alive\r\n"+length+chunked, "{}"), "1.1", "1.0", 1)
	large := "186a0\r\n" + strings.Repeat(" ", 100_000) + "\r\n0\r\n\r\n"
	cases := map[string]struct {
		request string
		status  int
		name    string // of the error, plainError if net/http writes it
		goesOn  bool
	}{
		"no body":                 {get(""), 200, "", true},
		"length":                  {post(length, "{}"), 200, "", true},
		"chunked":                 {post(chunked, chunks), 200, "", false},
		"length and chunks":       {post(length+chunked, chunks), 200, "", false},
		"chunks in HTTP/1.0":      {keepAlive, 200, "", false},
		"two lengths":             {post(length+"Content-Length: 3\r\n", "{}"), 400, plainError, false},
		"coding twice":            {post(chunked+chunked, "0\r\n\r\n"), 501, plainError, false},
		"broken chunk":            {post(chunked, "zz\r\n"), 400, "MalformedPayload", false},
		"too large by its length": {post("Content-Length: 9999999\r\n", "{"), 413, "PayloadTooLarge", false},
		"too large, chunks":       {post(chunked, large), 413, "PayloadTooLarge", false},
		"huge header":             {get("X: " + strings.Repeat("a", 40_000) + "\r\n"), 431, plainError, false},
		"folded header":           {get("X: a\r\n b\r\n"), 200, "", true},
		"star":                    {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200, "", true},
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
			var failure struct {
				Error, Detail string
				Code          int
			}
			if err := json.Unmarshal(body, &failure); err != nil || first.Header.Get("Content-Type") != "application/json" ||
				len(first.Header.Values("Version")) != 1 || len(first.Header.Values("Content-Length")) != 1 {
				t.Errorf("%v %q: %v", first.Header, body, err)
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
