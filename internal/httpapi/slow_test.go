package httpapi_test

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/ratelimit"
)

// Two thousand clients that send a request by and by, or read nothing of a large answer, keep
// nobody else waiting, and none of them stays for ever.
func TestSlowSockets(t *testing.T) {
	t.Parallel()
	const sockets = 2000
	large := strings.Repeat("x", 8<<20)
	api := httpapi.New(httpapi.Options{
		Log: slog.New(slog.DiscardHandler),
		RateLimit: httpapi.RateLimitOptions{
			Counters: ratelimit.New(ratelimit.Options{}),
			Rates:    httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
		},
	})
	server := httptest.NewUnstartedServer(nil)
	server.Config = httpapi.NewServer("", api.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := "{}"
		switch r.URL.Path {
		case "/large":
			body = large
		case "/body":
			if _, err := httpapi.ReadJSON(w, r, 0); err != nil {
				api.Errors.Write(w, r, err)
				return
			}
		}
		httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(body)})
	})))
	server.Config.ReadHeaderTimeout, server.Config.ReadTimeout, server.Config.WriteTimeout = 2*time.Second, 2*time.Second,
		2*time.Second
	server.Listener = api.Listener(server.Listener)
	server.Start()
	defer server.Close()

	begin := []string{
		"GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
		"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", "",
	}
	answered := make(chan struct{})
	var slow sync.WaitGroup
	address := server.Listener.Addr().String()
	for i := range sockets {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		text := begin[i%len(begin)]
		if i%100 == 0 {
			text = "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" // and reads nothing until others were answered
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		slow.Go(func() {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			if i%100 == 0 {
				<-answered
			}
			_, err := io.Copy(io.Discard, conn)
			if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
				t.Errorf("the connection that sent %q is still open", text)
			}
		})
	}
	for range 50 {
		res, err := httpapitest.Client.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		httpapitest.Read(t, res).Has(t, 200)
	}
	close(answered)
	slow.Wait()
}
