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

// Two thousand clients that send a request slowly, or do not read a large response, delay no other
// request, and all of them are disconnected.
func TestSlowClients(t *testing.T) {
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
	server.Config = httpapi.NewServer(api.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	})), slog.New(slog.DiscardHandler))
	const timeout = 2 * time.Second
	server.Config.ReadHeaderTimeout, server.Config.ReadTimeout, server.Config.WriteTimeout = timeout, timeout, timeout
	server.Start()
	defer server.Close()

	begin := []string{
		"GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
		"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", "",
	}
	othersDone := make(chan struct{})
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
			// Its response is not read until the other requests are done.
			text = "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		slow.Go(func() {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			if i%100 == 0 {
				<-othersDone
			}
			_, err := io.Copy(io.Discard, conn)
			if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
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
	close(othersDone)
	slow.Wait()
}
