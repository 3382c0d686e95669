package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// eventStream is an open GET /events.
type eventStream struct {
	t *testing.T
	*sse
}

type streamEvent struct {
	name  string
	retry string
	data  struct {
		ID     string
		Type   string
		Reason string
		Data   struct {
			Territory, Player string
			From, To          any
		}
	}
}

// openEvents opens a stream; headers are name, value, name, value…
func openEvents(t *testing.T, base, query string, headers ...string) *eventStream {
	t.Helper()
	s := &eventStream{t, openSSE(t, http.MethodGet, base+"/events"+query, "", headers...)}
	if e, ok := s.read(); !ok || s.id == "" || e.name != "" || e.retry == "" {
		t.Fatalf("the stream begins with %+v, id %q", e, s.id)
	}
	return s
}

// read reads up to the next blank line; false at the end of the stream.
func (s *eventStream) read() (e streamEvent, ok bool) {
	s.t.Helper()
	f, err := s.frame()
	if err != nil {
		return e, false
	}
	if f["data"] != "" {
		if err := json.Unmarshal([]byte(f["data"]), &e.data); err != nil {
			s.t.Fatalf("%v: %s", err, f["data"])
		}
	}
	e.name, e.retry = f["event"], f["retry"]
	return e, true
}

// next returns the next event, whatever heartbeats come before.
func (s *eventStream) next() streamEvent {
	s.t.Helper()
	for {
		e, ok := s.read()
		if !ok {
			s.t.Fatal("the stream ended")
		}
		if e.name != "" {
			return e
		}
	}
}

// want fails unless the next events are about these subjects: "type subject".
func (s *eventStream) want(subjects ...string) {
	s.t.Helper()
	for _, want := range subjects {
		e := s.next()
		if got := e.name + " " + e.data.Data.Territory + e.data.Data.Player; got != want || e.data.ID != s.id ||
			e.data.Type != e.name {
			s.t.Fatalf("got %q (%+v), want %q", got, e, want)
		}
	}
}

// wantEnd fails unless the stream ends with an event and nothing after it.
func (s *eventStream) wantEnd(name, reason string) {
	s.t.Helper()
	if e := s.next(); e.name != name || e.data.Reason != reason || e.retry == "" {
		s.t.Errorf("got %+v, want %s %s", e, name, reason)
	}
	if e, ok := s.read(); ok {
		s.t.Errorf("after the end: got %+v", e)
	}
}

type eventFeed struct {
	t     *testing.T
	token string
	sent  int
}

func (f *eventFeed) post(p *apptest.Program, lines string) apptest.Response {
	f.t.Helper()
	return apptest.Request(f.t, http.MethodPost, p.Base+"/feed", lines, "Authorization", "Bearer "+f.token,
		"Content-Type", "application/x-ndjson")
}

func (f *eventFeed) send(p *apptest.Program, event, data string) {
	f.t.Helper()
	f.sent++
	res := f.post(p, fmt.Sprintf(`{"id": "%d", "event": %q, "data": %s}`, f.sent, event, data))
	if res.Status != 200 || strings.Contains(string(res.Body), "rejected\":1") {
		f.t.Fatalf("%s: %d %s", event, res.Status, res.Body)
	}
}

func (f *eventFeed) capture(p *apptest.Program, territory, guild string) {
	f.t.Helper()
	f.send(p, "TerritoryCaptured", fmt.Sprintf(`{"territory": %q, "guild": %q}`, territory, guild))
}

func (f *eventFeed) player(p *apptest.Program, event, name, more string) {
	f.t.Helper()
	f.send(p, event, fmt.Sprintf(`{"player": %q%s}`, apptest.CastUUID(name), more))
}

// Two instances on one store deliver the events of each other, to whom access rules let them reach, every event once. A
// stream that was interrupted continues where it stopped, at any instance.
func TestEventsOfTwoInstances(t *testing.T) {
	t.Parallel()
	one, dir := apptest.StartDemo(t, "--streams-per-caller", "4", "--admin-listen", "127.0.0.1:0")
	two := apptest.StartSecond(t, dir)
	feed := &eventFeed{t: t, token: apptest.CreateFeedToken(t, dir)}
	companionToken := "Bearer " + apptest.CreateToken(t, dir, apptest.CreateMember(t, dir, "Companion"))
	saltedToken := "Bearer " + apptest.CreateToken(t, dir, apptest.CreateMember(t, dir, "Salted"))
	territory, guilds := apptest.CaptureTargets(t, one)
	feed.player(one, "Befriended", "Companion", `, "friend": "`+apptest.CastUUID("Salted")+`"`)

	guest := openEvents(t, one.Base, "")
	early := guest.id
	owner := openEvents(t, one.Base, "?types=playerWentOffline,playerCameOnline", "Authorization", companionToken)
	friend := openEvents(t, two.Base, "?types=playerWentOffline,playerCameOnline", "Authorization", saltedToken)

	feed.capture(two, territory, guilds[0])
	sent := time.Now()
	guest.want("territoryCaptured " + territory)
	if took := time.Since(sent); took > 2500*time.Millisecond {
		t.Errorf("a capture was delivered after %v", took)
	}
	resumeAt := guest.id
	companion, veiled, brindle := apptest.CastUUID("Companion"), apptest.CastUUID("Veiled"), apptest.CastUUID("Brindle")
	for _, name := range []string{"Companion", "Veiled", "Brindle"} {
		feed.player(one, "PlayerLeft", name, "")
	}
	guest.want("playerWentOffline " + brindle)
	owner.want("playerWentOffline "+companion, "playerWentOffline "+brindle)
	friend.want("playerWentOffline "+companion, "playerWentOffline "+brindle)
	feed.player(two, "PlayerJoined", "Companion", "")
	feed.player(two, "AccessRulesSet", "Brindle", `, "rules": {"onlineStatus": "private"}`)
	feed.player(one, "PlayerJoined", "Brindle", "") // hidden, right after the rule was set
	feed.capture(one, territory, guilds[1])
	guest.want("territoryCaptured " + territory)
	owner.want("playerCameOnline " + companion)
	friend.want("playerCameOnline " + companion)

	// The other instance goes on after the last event received; the rules of now decide.
	guest.end()
	feed.capture(two, territory, guilds[0])
	openEvents(t, two.Base, "?types=territoryCaptured&after="+early, "Last-Event-ID", resumeAt).
		want("territoryCaptured "+territory, "territoryCaptured "+territory)
	openEvents(t, two.Base, "?types=territoryCaptured&_=1&after="+early+"&lastEventId="+resumeAt).
		want("territoryCaptured "+territory, "territoryCaptured "+territory)
	openEvents(t, two.Base, "?types=territoryCaptured&after="+early+"&guilds="+guilds[0]).
		want("territoryCaptured "+territory, "territoryCaptured "+territory, "territoryCaptured "+territory)
	openEvents(t, two.Base, "?after="+early+"&territories="+url.QueryEscape("Nowhere,"+territory)).
		want("territoryCaptured "+territory, "territoryCaptured "+territory, "territoryCaptured "+territory)
	openEvents(t, two.Base, "?players="+companion+"&after="+early, "Authorization", companionToken).
		want("playerWentOffline "+companion, "playerCameOnline "+companion)
	feed.player(one, "AccessRulesSet", "Veiled", `, "rules": {"onlineStatus": "public"}`)
	openEvents(t, two.Base, "?types=playerWentOffline&after="+early).want("playerWentOffline " + veiled)

	// A stopping instance ends its streams, which others continue.
	feed.capture(two, territory, guilds[1])
	friend.end()
	waiting := openEvents(t, two.Base, "?types=territoryCaptured")
	if code := two.Stop(); code != 0 {
		t.Errorf("the instance ended with %d: %s", code, two.Stderr)
	}
	for e := waiting.next(); ; e = waiting.next() { // a capture may just be delivered
		if e.name == "reconnect" {
			if e.retry == "" || e.data.Reason != "SHUTDOWN" {
				t.Errorf("got %+v", e)
			}
			break
		}
	}
	feed.capture(one, territory, guilds[0])
	openEvents(t, one.Base, "?types=territoryCaptured", "Last-Event-ID", waiting.id).want("territoryCaptured " + territory)

	metrics := string(apptest.RequestOK(t, apptest.AdminBase(t, one), "GET", "/metrics", ""))
	for _, want := range []string{
		"\ngamedata_streams ", `gamedata_feed_events_total{event="AccessRulesSet",result="applied"} 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
}

// Streams are limited by caller; a revoked credential ends its streams; requests are checked.
func TestEventsLimits(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--streams-per-caller", "2")
	reader := apptest.CreateMember(t, dir, "Okapi")
	token := "Bearer " + apptest.CreateToken(t, dir, reader)
	status := func(query string, headers ...string) apptest.Response {
		t.Helper()
		return apptest.Get(t, p.Base+"/events"+query, headers...)
	}
	for query, want := range map[string]string{
		"?types=accessRulesChanged": "types must be some of", "?types=": "types must be", "?lastEventId=x&_=1": "must be the id",
		"?after=x": "must be the id of an event", "?types=raidFinished&types=warFinished": "Send types once",
		"?players=Salted": "players must be uuids", "?worlds=" + strings.Repeat("a,", 100): "up to 100 values",
	} {
		if res := status(query); res.Status != 400 || !strings.Contains(string(res.Body), want) {
			t.Errorf("%s: got %d %s", query, res.Status, res.Body)
		}
	}
	status("", "Authorization", "Bearer none").Expect(t, "an invalid token", 401)

	first := openEvents(t, p.Base, "")
	openEvents(t, p.Base, "")
	res := status("")
	res.Expect(t, "a third stream of a caller", 429, "Retry-After", "2")
	if want := `{"error":"TooManyRequest","detail":"At most 2 streams at once: end one first.","code":429}`; string(res.
		Body) != want {
		t.Errorf("got %s", res.Body)
	}
	other := openEvents(t, p.Base, "", "Authorization", token)
	deleteToken(t, dir, reader)
	revoked := time.Now()
	other.wantEnd("end", "INVALID_TOKEN")
	if took := time.Since(revoked); took > 6*time.Second {
		t.Errorf("the stream of a revoked token ended after %v", took)
	}
	first.end()
	apptest.Await(t, "a stream that ended does not count", func() bool {
		res, err := apptest.Client.Get(p.Base + "/events")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode == 200
	})
}
