package api

import (
	"context"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"gamedata/internal/app/apptest"
)

// Open streams end with the request to connect again when their instance stops. One that is opened then begins, so that
// its reader knows where to resume, and ends in the same way: browsers give up after a 503.
func TestStreamsWhileDraining(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	ctx, stop := context.WithCancel(t.Context())
	go svc.App.FollowEvents(ctx)
	base, ended := svc.Listen(ctx)
	const query = `subscription { events { at } }`
	events, results, socket := openEvents(t, base, ""), subscribeSSE(t, base, query, nil), openSocket(t, base).start("")
	socket.subscribe("1", query, nil)
	stop()
	apptest.Await(t, "the end of readiness", func() bool { return apptest.Get(t, base+"/readyz").Status == 503 })

	fresh := openEvents(t, base, "")
	fresh.wantEnd("reconnect", "SHUTDOWN")
	openEvents(t, base, "", "Last-Event-ID", fresh.id).wantEnd("reconnect", "SHUTDOWN")
	events.wantEnd("reconnect", "SHUTDOWN")
	for _, results := range []resultStream{results, subscribeSSE(t, base, query, nil)} {
		if got := results.next(t); !strings.HasPrefix(got, "END SHUTDOWN: ") {
			t.Errorf("a subscription: got %q, want the end", got)
		}
	}
	for _, socket := range []*socketClient{socket, openSocket(t, base)} {
		if code := socket.closeCode(); code != websocket.StatusServiceRestart {
			t.Errorf("a WebSocket: got %d, want %d", code, websocket.StatusServiceRestart)
		}
	}
	close(svc.Drained)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
