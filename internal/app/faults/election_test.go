package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/mongo"
	"gamedata/mongo/conn"
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
	*apptest.Service
	set       *mongotest.ReplicaSet
	secondary bool   // reads come from secondaries too
	sender    string // of the feed
	cold      int
}

func holdElection(t *testing.T, dir, preference string, secondary bool) {
	began := time.Now()
	svc := apptest.OpenStore(t, dir, func() time.Time { return apptest.Now().Add(time.Since(began)) })
	s := &electing{Service: svc, set: mongotest.NewReplicaSet(t, "a:1", "b:1").WithSessions(), secondary: secondary}
	proxy := mongotest.NewProxy(svc)
	proxy.Handle(s.set.Action)
	svc.Start(mongo.Options{Options: conn.Options{URI: s.set.URI() + preference, Dialer: proxy}})
	token, err := svc.Users.FeedTokens.Create(t.Context(), "eu-1")
	if err != nil {
		t.Fatal(err)
	}
	s.sender = "Bearer " + token
	time.Sleep(time.Second) // the driver finds all members

	cached := "/v3/player/" + apptest.CastUUID("Salted") + "?fullResult"
	before := s.Handle(cached)
	if before.Code != 200 || s.readCold().Code != 404 {
		t.Fatalf("before the election: got %d %s", before.Code, before.Body)
	}
	if w := s.Handle("/readyz"); w.Code != 200 || strings.Contains(w.Body.String(), "degraded") {
		t.Errorf("before the election: /readyz: %d %s", w.Code, w.Body)
	}
	s.set.Interrupt()
	time.AfterFunc(50*time.Millisecond, s.set.StepDown)
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(time.Second) {
		w := s.Handle(cached)
		if status := w.Header().Get("Cache-Status"); w.Code != 200 || w.Body.String() != before.Body.String() ||
			!strings.Contains(status, "; hit") {
			t.Errorf("after %v: a cached response: got %d %q", time.Since(begin), w.Code, status)
		}
		s.expectGap(time.Since(begin))
	}
	s.Advance(5 * time.Minute)
	w := s.Handle(cached)
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
	if w := s.Handle("/readyz"); w.Code != 200 || strings.Contains(w.Body.String(), "degraded") {
		t.Errorf("after the election: /readyz: %d %s", w.Code, w.Body)
	}
	if w := s.feed("a"); w.Code != 200 || !strings.Contains(w.Body.String(), `"duplicates":1`) {
		t.Errorf("the event again: got %d %s", w.Code, w.Body)
	}
}

// expectGap checks what needs the store while there is no primary.
func (s *electing) expectGap(after time.Duration) {
	s.T.Helper()
	sent := time.Now()
	if w := s.readCold(); s.secondary && w.Code != 404 ||
		!s.secondary && (w.Code != 503 || w.Header().Get("Retry-After") != "5") {
		s.T.Errorf("after %v: a read: got %d, Retry-After %q: %s", after, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	if w := s.feed("a"); w.Code != 503 || w.Header().Get("Retry-After") != "5" {
		s.T.Errorf("after %v: the feed: got %d, Retry-After %q: %s", after, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	note := "the store does not respond, cached responses are served"
	if s.secondary {
		note = "the store has no primary: reads are served, writes are not"
	}
	if w := s.Handle("/readyz"); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "degraded: store: "+note) {
		s.T.Errorf("after %v: /readyz: got %d %s", after, w.Code, w.Body)
	}
	if took := time.Since(sent); took > 3*time.Second { // each waits 800 ms at most
		s.T.Errorf("after %v: three requests took %v", after, took)
	}
}

// readCold requests what is not cached: a player that was not requested before.
func (s *electing) readCold() *httptest.ResponseRecorder {
	s.cold++
	return s.Handle(fmt.Sprint("/v3/player/nobody", s.cold))
}

func (s *electing) feed(id string) *httptest.ResponseRecorder {
	body := fmt.Sprintf(`{"id": %q, "event": "PlayerAdded", "data": {"player": %q, "username": "Fernwick"}}`,
		id, mongotest.UUID(1))
	r := httptest.NewRequestWithContext(s.T.Context(), http.MethodPost, "/feed", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-ndjson")
	r.Header.Set("Authorization", s.sender)
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	return w
}
