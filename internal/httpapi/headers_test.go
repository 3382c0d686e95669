package httpapi_test

import (
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

// On the wire headers stand as they are documented, for clients that compare their case.
func TestHeadersAreSpelledAsDocumented(t *testing.T) {
	h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !api.Limits.Authorize(w, r, "GUILD", 1) {
				return
			}
			httpapi.WriteResponse(w, r, httpapi.Response{
				Body: []byte(`{}`), MaxAge: time.Minute, Scope: graph.Shared,
				Header: http.Header{"territorylasttick": {"2026-07-24 23:01:10.000000+00:00"}},
			})
		})
	})
	for request, want := range map[string][]string{
		"": {
			"ETag: ", "RateLimit-Limit: ", "RateLimit-Remaining: ", "RateLimit-Reset: ",
			"RateLimit-Bucket: GUILD", "territorylasttick: 2026", "Version: v3", "Cache-Control: max-age=60, public",
		},
		"Authorization: Bearer x\r\n": {"HTTP/1.1 401", "WWW-Authenticate: Bearer", "RateLimit-Bucket: GUILD"},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
		_, _ = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%s\r\n", request)
		raw, err := io.ReadAll(conn)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(raw), "\r\n\r\n")
		for _, w := range want {
			if !strings.Contains(head, w) {
				t.Errorf("no %q in\n%s", w, head)
			}
		}
	}
}
