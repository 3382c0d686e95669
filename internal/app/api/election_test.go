package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// Streams of events and subscriptions over WebSockets go on over elections that meet a game server between its events:
// it gets 503 and sends again, and each event is applied and delivered once, in order, also when the reply to a write
// is lost with the primary.
func TestStreamsDuringElections(t *testing.T) {
	t.Parallel()
	dir := apptest.UnrankedDir(t)
	server, err := embedded.Open(dir, embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	proxy := mongotest.NewProxy(server)
	set := mongotest.NewReplicaSet(t, proxy.Listen(t, "")).WithSessions()
	proxy.Handle(set.Action)
	p := apptest.Start(t, "--mongo-uri", set.URI()+"&serverSelectionTimeoutMS=300", "--store-timeout", "10s",
		"--guest-rate", "10000")
	token := ""
	o := conn.Options{URI: set.URI(), ServerSelectionTimeout: time.Minute}
	store, err := mongo.Open(t.Context(), mongo.Options{Options: o})
	if err == nil {
		token, err = auth.New(store, auth.Options{Log: slog.Default()}).FeedTokens.Create(t.Context(), "eu-1")
	}
	if err = errors.Join(err, store.Close(context.Background())); err != nil {
		t.Fatal(err)
	}
	post := func(level int) apptest.Response {
		event := fmt.Sprintf(`{"id": "%d", "event": "GuildProgressed", "data": {"guild": %q, "level": %d, "xpPercent": 0}}`,
			level, lanternRow, level)
		return apptest.Request(t, "POST", p.Base+"/feed", event, "Authorization", "Bearer "+token,
			"Content-Type", "application/x-ndjson")
	}
	const query = `subscription { guildActivity(guild: "` + lanternRow + `") { ... on GuildLevelChanged { toLevel } } }`
	streams := map[string]resultStream{
		"server-sent events": subscribeSSE(t, p.Base, query, nil),
		"WebSocket":          subscribeSocket(t, p.Base, query, nil),
	}
	cached := "/v3/player/" + apptest.CastUUID("Salted")
	apptest.RequestOK(t, p.Base, "GET", cached, "")

	const first, last = 101, 108
	for level := first; level <= last; level++ {
		switch level % 4 {
		case 0: // no primary for the next request
			set.Interrupt()
			set.StepDown()
		case 2: // the primary ends with a write in flight
			var lost atomic.Bool // the reply to the first commit
			proxy.Handle(func(c mongotest.Command) mongotest.Action {
				a := set.Action(c)
				if c.Name == "commitTransaction" && !lost.Swap(true) {
					a.HangUp, a.Forward = true, true
					set.StepDown()
				}
				return a
			})
		}
		res := post(level)
		if level%2 == 0 {
			if res.Status != 503 || res.Header.Get("Retry-After") == "" {
				t.Errorf("level %d: got %d %s, want 503", level, res.Status, res.Body)
			}
			apptest.RequestOK(t, p.Base, "GET", cached, "")
			proxy.Handle(set.Action)
			set.Elect(set.Hosts()[0])
		}
		for deadline := time.Now().Add(time.Minute); res.Status == 503 && time.Now().Before(deadline); {
			res = post(level)
		}
		var report struct{ Applied, Duplicates int }
		if err := json.Unmarshal(res.Body, &report); err != nil || res.Status != 200 ||
			report.Applied+report.Duplicates != 1 {
			t.Fatalf("level %d: got %d %s", level, res.Status, res.Body)
		}
	}
	for name, stream := range streams {
		for level := first; level <= last; level++ {
			want := fmt.Sprintf(`{"data":{"guildActivity":{"toLevel":%d}}}`, level)
			if got := stream.next(t); !strings.HasPrefix(got, want[:len(want)-1]) {
				t.Fatalf("%s: got %s, want %s", name, got, want)
			}
		}
	}
}
