package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// What a client sees of an election of ten seconds: cached responses go on, fresh and stale; what must come from a
// primary is 503 with Retry-After within a second, and succeeds again 1.3 seconds after the election at the latest;
// what a secondary may serve goes on. Time is simulated. It is the table of docs/reliability.md.
func TestElection(t *testing.T) {
	t.Parallel()
	for preference, secondary := range map[string]bool{"": true, "&readPreference=primary": false} {
		t.Run(preference, func(t *testing.T) {
			dir := apptest.UnrankedDir(t)
			synctest.Test(t, func(t *testing.T) { holdElection(t, dir, preference, secondary) })
		})
	}
}

// electing is a service whose store is a replica set.
type electing struct {
	*testService
	set       *mongotest.ReplicaSet
	secondary bool   // reads come from secondaries too
	sender    string // of the feed
	cold      int
}

func holdElection(t *testing.T, dir, preference string, secondary bool) {
	began := time.Now()
	svc := &testService{
		t: t, dir: dir, drained: make(chan struct{}),
		startTime: func() time.Time { return apptest.Now().Add(time.Since(began)) },
	}
	svc.startStore()
	s := &electing{testService: svc, set: mongotest.NewReplicaSet(t, "a:1", "b:1").WithSessions(), secondary: secondary}
	proxy := mongotest.NewProxy(svc)
	proxy.Handle(s.set.Action)
	svc.start(mongo.Options{Options: conn.Options{URI: s.set.URI() + preference, Dialer: proxy}})
	token, err := svc.users.FeedTokens.Create(t.Context(), "eu-1")
	if err != nil {
		t.Fatal(err)
	}
	s.sender = "Bearer " + token
	time.Sleep(time.Second) // the driver finds all members

	cached := "/v3/player/" + apptest.CastUUID("Salted") + "?fullResult"
	before := s.handle(cached)
	if before.Code != 200 || s.readCold().Code != 404 {
		t.Fatalf("before the election: got %d %s", before.Code, before.Body)
	}
	if w := s.handle("/readyz"); w.Code != 200 || strings.Contains(w.Body.String(), "degraded") {
		t.Errorf("before the election: /readyz: %d %s", w.Code, w.Body)
	}
	s.set.Interrupt()
	time.AfterFunc(50*time.Millisecond, s.set.StepDown)
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(time.Second) {
		w := s.handle(cached)
		if status := w.Header().Get("Cache-Status"); w.Code != 200 || w.Body.String() != before.Body.String() ||
			!strings.Contains(status, "; hit") {
			t.Errorf("after %v: a cached response: got %d %q", time.Since(begin), w.Code, status)
		}
		s.expectGap(time.Since(begin))
	}
	s.advance(5 * time.Minute)
	w := s.handle(cached)
	if stale := strings.Contains(w.Header().Get("Cache-Status"), "ttl=-"); w.Code != 200 || stale == s.secondary {
		t.Errorf("an expired response: got %d %v", w.Code, w.Header())
	}
	s.set.Elect("b:1")
	elected := time.Now()
	for s.readCold().Code == 503 || s.feed("a").Code == 503 {
		time.Sleep(50 * time.Millisecond)
		if time.Since(elected) > time.Minute {
			t.Fatal("the service does not recover")
		}
	}
	if took := time.Since(elected); took > 1400*time.Millisecond {
		t.Errorf("the service recovers after %v", took)
	}
	if w := s.handle("/readyz"); w.Code != 200 || strings.Contains(w.Body.String(), "degraded") {
		t.Errorf("after the election: /readyz: %d %s", w.Code, w.Body)
	}
	if w := s.feed("a"); w.Code != 200 || !strings.Contains(w.Body.String(), `"duplicates":1`) {
		t.Errorf("the event again: got %d %s", w.Code, w.Body)
	}
}

// expectGap checks what needs the store while there is no primary.
func (s *electing) expectGap(after time.Duration) {
	s.t.Helper()
	sent := time.Now()
	if w := s.readCold(); s.secondary && w.Code != 404 ||
		!s.secondary && (w.Code != 503 || w.Header().Get("Retry-After") != "5") {
		s.t.Errorf("after %v: a read: got %d, Retry-After %q: %s", after, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	if w := s.feed("a"); w.Code != 503 || w.Header().Get("Retry-After") != "5" {
		s.t.Errorf("after %v: the feed: got %d, Retry-After %q: %s", after, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	note := "the store does not respond, cached responses are served"
	if s.secondary {
		note = "the store has no primary: reads are served, writes are not"
	}
	if w := s.handle("/readyz"); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "degraded: store: "+note) {
		s.t.Errorf("after %v: /readyz: got %d %s", after, w.Code, w.Body)
	}
	if took := time.Since(sent); took > 3*time.Second { // each waits 800 ms at most
		s.t.Errorf("after %v: three requests took %v", after, took)
	}
}

// readCold requests what is not cached: a player that was not requested before.
func (s *electing) readCold() *httptest.ResponseRecorder {
	s.cold++
	return s.handle(fmt.Sprint("/v3/player/nobody", s.cold))
}

// feed sends an event with an id.
func (s *electing) feed(id string) *httptest.ResponseRecorder {
	body := fmt.Sprintf(`{"id": %q, "event": "PlayerAdded", "data": {"player": %q, "username": "Fernwick"}}`,
		id, mongotest.UUID(1))
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/feed", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-ndjson")
	r.Header.Set("Authorization", s.sender)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

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
	p := apptest.Start(t, "--mongo-uri", set.URI(), "--store-timeout", "10s", "--store-selection-timeout", "300ms",
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
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Base+"/feed", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/x-ndjson")
		return apptest.Do(t, r, fmt.Appendf(nil, `{"id": "%d", "event": "GuildProgressed", "data": {"guild": %q, "level": %d, `+
			`"xpPercent": 0}}`, level, lanternRow, level))
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
			lose := new(oneReply)
			proxy.Handle(func(c mongotest.Command) mongotest.Action {
				a := set.Action(c)
				if lose.of(c) {
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

// oneReply selects the first commit.
type oneReply struct{ lost atomic.Bool }

func (o *oneReply) of(c mongotest.Command) bool {
	return c.Name == "commitTransaction" && !o.lost.Swap(true)
}
