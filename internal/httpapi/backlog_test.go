package httpapi_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// What waits for a caller who does not read is bounded: a further large response is 429 until the others are received
// or given up. The same bytes count once, and small responses are always possible.
func TestBacklog(t *testing.T) {
	large := map[string][]byte{}
	for _, path := range []string{"/a", "/b"} {
		large[path] = []byte(strings.Repeat(path[1:], 7<<20))
	}
	s := httpapitest.Serve(t, nil, func(*httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := large[r.URL.Path]
			if body == nil {
				body = []byte("{}")
			}
			httpapi.WriteResponse(w, r, httpapi.Response{Body: body})
		})
	})
	stalled := func() net.Conn {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.(*net.TCPConn).SetReadBuffer(4096)
		if _, err := io.WriteString(conn, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err != nil { // the response has begun
			t.Fatal(err)
		}
		return conn
	}
	conns := []net.Conn{stalled(), stalled(), stalled()}
	refused := s.Do("GET", "/b", "", "Accept-Encoding", "identity")
	refused.Has(t, 429, "Retry-After", "2")
	if !strings.Contains(refused.Text, "read earlier responses first") {
		t.Error(refused.Text)
	}
	s.Do("GET", "/small", "").Has(t, 200)
	s.Do("HEAD", "/a", "").Has(t, 200)
	for _, conn := range conns {
		_ = conn.Close()
	}
	for s.Do("GET", "/b", "", "Accept-Encoding", "identity").StatusCode != 200 {
		s.Advance(1e9) // refills the quota
	}
}

// What waits for all callers together is bounded too: the next caller is refused until another one has received its
// response. The same bytes for everybody count once.
func TestBacklogOfAllCallers(t *testing.T) {
	release, shared := make(chan func(), 100), make([]byte, 7<<20)
	trust := func(o *httpapi.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	s := httpapitest.Serve(t, trust, func(a *httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := shared
			if r.URL.Path == "/own" {
				body = make([]byte, 7<<20)
			}
			done, err := a.Backlog.Acquire(r.Context(), body)
			if err != nil {
				a.Errors.Write(w, r, err)
				return
			}
			release <- done
		})
	})
	get := func(path string, caller int) int {
		return s.Do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", caller)).StatusCode
	}
	for caller := range 9 { // 63 of 64 MiB
		if status := get("/own", caller); status != 200 {
			t.Fatalf("caller %d: status %d", caller, status)
		}
	}
	if status := get("/own", 9); status != 503 {
		t.Errorf("beyond the limit: status %d, want 503", status)
	}
	(<-release)()
	for caller := 20; caller < 40; caller++ {
		if status := get("/shared", caller); status != 200 {
			t.Errorf("a shared body: status %d", status)
		}
	}
}
