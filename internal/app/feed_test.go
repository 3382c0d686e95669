package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/auth"
)

// Two instances get the same events at the same time, in requests of other sizes: each event is applied once, and both
// show the result. A player who hides is hidden at once by the instance that gets the event, and soon by the other.
func TestFeedOfTwoInstances(t *testing.T) {
	t.Parallel()
	dir := demoDir(t)
	one := startService(t, "--demo", "--demo-still", "--players", "60", "--data-dir", dir, "--admin-listen", "127.0.0.1:0")
	socket := "mongodb://" + url.PathEscape(filepath.Join(dir, "gamedata.sock")) +
		"/?directConnection=true&retryWrites=false"
	two := startService(t, "--mongo-uri", socket)
	token := ""
	inStore(t, dir, func(ctx context.Context, a *auth.Accounts) (err error) {
		token, err = a.FeedTokens.Create(ctx, "eu-1")
		return err
	})
	post := func(p *program, lines []string) response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+"/feed", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/x-ndjson")
		return send(t, r, []byte(strings.Join(lines, "\n")))
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
	for n, p := range []*program{one, two} {
		senders.Go(func() {
			for from, size := 0, 40+7*n; from < len(lines); from += size {
				if res := post(p, lines[from:min(len(lines), from+size)]); res.status != 200 {
					t.Errorf("instance %d: got %d %s", n, res.status, res.body)
				}
			}
		})
	}
	senders.Wait()
	for n, p := range []*program{one, two} {
		body := string(requestOK(t, p.base, "GET", "/v3/player/"+player+"?fullResult", ""))
		want := fmt.Sprintf(`"mobsKilled":%d`, gains)
		if strings.Count(body, want) != 2 || !strings.Contains(body, fmt.Sprintf(`"deaths":%d`, gains)) {
			t.Errorf("instance %d: got %s, want %s of player and character", n, body, want)
		}
	}
	post(one, []string{`{"id": "h", "event": "AccessRulesSet", "data": {"player": "` + player +
		`", "rules": {"mainAccess": "private"}}}`}).expect(t, "hiding", 200)
	shown := func(p *program) bool {
		body := requestOK(t, p.base, "GET", "/v3/player/"+player+"?fullResult", "")
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
	metrics := string(requestOK(t, adminBase(t, one), "GET", "/metrics", ""))
	for _, want := range []string{
		`gamedata_feed_events_total{event="AccessRulesSet",result="applied"} 1`,
		`gamedata_requests_total{api="other",operation="feed",status="2xx"}`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}

	// A token of the API is none of the feed, nor the other way round. Browsers of other sites get nothing.
	createAccount(t, dir, "Reader")
	feedToken := token
	token = createToken(t, dir, "Reader")
	if res := post(one, lines[:1]); res.status != 401 {
		t.Errorf("an API token: got %d", res.status)
	}
	if r, _ := getWithToken(t, one, feedToken, "/v3/player"); r.StatusCode != 401 {
		t.Errorf("a feed token at the API: got %d", r.StatusCode)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, one.base+"/feed", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://other.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	if res := send(t, r, nil); res.status != 405 || res.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight: got %d %v", res.status, res.header)
	}
}
