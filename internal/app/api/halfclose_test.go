package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// A client that shuts its sending side after the request gets its response, cached or not.
func TestHalfClosedConnection(t *testing.T) {
	p := apptest.Shared(t)
	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n" }
	post := func(query string) string {
		body := fmt.Sprintf(`{"query":%q}`, query)
		return fmt.Sprintf("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for i := range 10 {
		for name, c := range map[string]struct {
			request, want string
			status        int
		}{
			"a player":       {get("/v3/player/Salted"), `"Salted"`, 200},
			"unknown player": {get(fmt.Sprintf("/v3/player/halfclosed%d", i)), `"NotFound"`, 404},
			"a query":        {post(fmt.Sprintf(`{halfclosed%d: player(by:{username:"Salted"}){username}}`, i)), `"Salted"`, 200},
			"uncacheable":    {post(`{rateLimit{countedBy} viewer{kind}}`), `"rateLimit"`, 200},
			"a page":         {get(fmt.Sprintf("/players/halfclosed%d", i)), "<html", 404},
			"readiness":      {get("/readyz"), "ok", 200},
		} {
			conn, err := net.Dial("tcp", strings.TrimPrefix(p.Base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
			if _, err := io.WriteString(conn, c.request); err != nil {
				t.Fatal(err)
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if body := string(apptest.Read(t, res).Body); res.StatusCode != c.status || !strings.Contains(body, c.want) {
				t.Errorf("%s: got %d %.200s, want %d with %s", name, res.StatusCode, body, c.status, c.want)
			}
			_ = conn.Close()
		}
	}
	if strings.Contains(p.Stderr.String(), "unavailable") {
		t.Errorf("the log reports a store that is away: %s", p.Stderr)
	}
}
