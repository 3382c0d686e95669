package api

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// No path of the public listener serves what follows a chunked request on its connection.
func TestChunkedRequestsEndTheConnection(t *testing.T) {
	endsAfterChunks(t, apptest.Shared(t).Base,
		"/livez", "/readyz", "/playground", "/playground/endpoints.json", "/graphiql", "/docs", "/page.css", "/icon.svg",
		"/v3/player", "/v3/openapi.json", "/v3/nowhere", "/graphql", "/schema.graphqls", "/account", "/oauth/authorize",
		"/.well-known/oauth-authorization-server", "/", "/nowhere")
}

// Without settings, a service on a loopback address is reached by no name that a page of another site could have.
func TestForeignHostIsRejected(t *testing.T) {
	p := apptest.Shared(t)
	for _, path := range []string{"/", "/graphql?query={classes{id}}", "/v3/classes", "/docs", "/page.css"} {
		for host, status := range map[string]int{"play.localhost": 200, "127.0.0.1.evil.example": 421} {
			apptest.Get(t, p.Base+path, "Host", host).Expect(t, path+" for the host "+host, status)
		}
	}
}

// Health checks are read only.
func TestHealthMethods(t *testing.T) {
	p := apptest.Shared(t)
	for method, status := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "DELETE": 405, "OPTIONS": 405} {
		for _, path := range []string{"/livez", "/readyz"} {
			res := apptest.Request(t, method, p.Base+path, "")
			res.Expect(t, method+" "+path, status)
			if (res.Header.Get("Allow") != "") != (status == 405) {
				t.Errorf("%s %s: got Allow %q", method, path, res.Header.Get("Allow"))
			}
		}
	}
}

// endsAfterChunks sends chunked requests, with a second request behind them, and wants one response.
func endsAfterChunks(t *testing.T, base string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		for _, method := range []string{"GET", "POST"} {
			for name, framing := range map[string]string{
				"chunks":            "Transfer-Encoding: chunked\r\n",
				"length and chunks": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
			} {
				first := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n0\r\n\r\n",
					method, path, framing)
				if n := countResponses(t, base, first+"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"); n != 1 {
					t.Errorf("%s %s with %s: got %d responses, want 1", method, path, name, n)
				}
			}
		}
	}
}

// countResponses sends text on a new connection and counts the responses until the server closes it.
func countResponses(t *testing.T, base, text string) int {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
	_, _ = io.WriteString(conn, text) // the server may close the connection before it has read all
	all, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(all, []byte("\r\nDate: "))
}
