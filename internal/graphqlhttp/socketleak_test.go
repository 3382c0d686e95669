package graphqlhttp_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Sockets leave no goroutine behind, however they end: closed, cut, half initiated, with operations that run.
func TestSocketsLeaveNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{Counters: ratelimit.New(ratelimit.Options{})},
		Log:       slog.New(slog.DiscardHandler),
	})
	server := httptest.NewServer(api.Middleware(graphqlhttp.New(api, mossExecutor(t), graphqlhttp.Options{})))
	open := func() *websocket.Conn {
		t.Helper()
		conn, _, err := websocket.Dial(t.Context(), server.URL, &websocket.DialOptions{ //nolint:bodyclose // of the socket
			Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: &http.Client{Transport: &http.Transport{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	closed, cut, silent := open(), open(), open()
	for _, conn := range []*websocket.Conn{closed, cut} {
		exchange(t, conn, `{"type":"connection_init"}`, "connection_ack")
		exchange(t, conn, `{"id":"1","type":"subscribe","payload":{"query":"{ items }"}}`, `"next"`)
		receive(t, conn, `"complete"`)
	}
	if n := api.Streams.Open(); n != 3 {
		t.Errorf("%d streams are open, want 3", n)
	}
	_ = closed.Close(websocket.StatusNormalClosure, "")
	_ = cut.CloseNow()
	end, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	api.Streams.Close()
	_, _, err := silent.Read(end)
	if code := websocket.CloseStatus(err); code != websocket.StatusServiceRestart {
		t.Errorf("a service that stops closes with %d", code)
	}
	api.Streams.Wait(end)
	if n := api.Streams.Open(); n != 0 {
		t.Errorf("%d streams are still open", n)
	}
	server.Close()
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}
