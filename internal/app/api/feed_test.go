package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// Two instances get the same events at the same time, in requests of other sizes: each event is applied once, and both
// show the result. A player who hides is hidden at once by the instance that gets the event, and soon by the other.
func TestFeedOfTwoInstances(t *testing.T) {
	t.Parallel()
	one, dir := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0")
	two := apptest.StartSecond(t, dir)
	feed := &eventFeed{t: t, token: apptest.CreateFeedToken(t, dir)}
	post := func(p *apptest.Program, lines []string) apptest.Response {
		return feed.post(p, strings.Join(lines, "\n"))
	}
	const player, character = "00000000-0000-4000-8000-0000000000f1", "00000000-0000-4000-8000-0000000000f2"
	lines := []string{
		`{"id": "p", "event": "PlayerAdded", "data": {"player": "` + player + `", "username": "Fernwick"}}`,
		`{"id": "c", "event": "CharacterAdded", "data": {"player": "` + player + `", "character": "` + character +
			`", "type": "MAGE"}}`,
	}
	const gains = 200
	for i := range gains {
		lines = append(lines, fmt.Sprintf(`{"id": "g%d", "event": "CharacterGained", "data": {"character": %q,
			"xp": 1, "mobsKilled": 1, "deaths": 1}}`, i, character))
		lines[len(lines)-1] = strings.ReplaceAll(lines[len(lines)-1], "\n", "")
	}
	var senders sync.WaitGroup
	for n, p := range []*apptest.Program{one, two} {
		senders.Go(func() {
			for from, size := 0, 40+7*n; from < len(lines); from += size {
				if res := post(p, lines[from:min(len(lines), from+size)]); res.Status != 200 {
					t.Errorf("instance %d: got %d %s", n, res.Status, res.Body)
				}
			}
		})
	}
	senders.Wait()
	for n, p := range []*apptest.Program{one, two} {
		body := string(apptest.RequestOK(t, p.Base, "GET", "/v3/player/"+player+"?fullResult", ""))
		want := fmt.Sprintf(`"mobsKilled":%d`, gains)
		if strings.Count(body, want) != 2 || !strings.Contains(body, fmt.Sprintf(`"deaths":%d`, gains)) {
			t.Errorf("instance %d: got %s, want %s of player and character", n, body, want)
		}
	}
	post(one, []string{`{"id": "h", "event": "AccessRulesSet", "data": {"player": "` + player +
		`", "rules": {"mainAccess": "private"}}}`}).Expect(t, "hiding", 200)
	shown := func(p *apptest.Program) bool {
		body := apptest.RequestOK(t, p.Base, "GET", "/v3/player/"+player+"?fullResult", "")
		return strings.Contains(string(body), `"globalData":{`)
	}
	if shown(one) {
		t.Error("the instance that got the event shows a hidden player")
	}
	for end := time.Now().Add(20 * time.Second); shown(two); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the other instance shows a hidden player")
		}
	}
	metrics := string(apptest.RequestOK(t, apptest.AdminBase(t, one), "GET", "/metrics", ""))
	for _, want := range []string{
		`gamedata_feed_events_total{event="AccessRulesSet",result="applied"} 1`,
		`gamedata_requests_total{api="other",operation="feed",status="2xx"}`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}

	// A token of the API is none of the feed, nor the other way round. Browsers of other sites get nothing.
	feedToken := feed.token
	feed.token = apptest.CreateToken(t, dir, apptest.CreateMember(t, dir, "Okapi"))
	post(one, lines[:1]).Expect(t, "an API token", 401)
	res, _ := apptest.GetWithToken(t, one, feedToken, "/v3/player")
	res.Expect(t, "a feed token at the API", 401)
	apptest.Request(t, http.MethodOptions, one.Base+"/feed", "", "Origin", "https://other.example",
		"Access-Control-Request-Method", "POST").Expect(t, "preflight", 405, "Access-Control-Allow-Origin", "")
}
