package app_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/ratelimit/redistest"
)

// Two instances share one store and one Redis.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	counters := redistest.Start(t)
	dir := demoDir(t)
	shared := []string{
		"--redis-url", counters.URL, "--redis-timeout", "5s", "--rates", "MAP.guest=1", "--token-rate",
		"1000000",
	}
	one := startService(t, append([]string{
		"--demo", "--demo-still", "--players", "60", "--data-dir", dir, "--admin-listen",
		"127.0.0.1:0",
	}, shared...)...)
	// The second reaches the store of the first through its socket, as it would a MongoDB.
	socket := "mongodb://" + url.PathEscape(filepath.Join(dir, "gamedata.sock")) +
		"/?directConnection=true&retryWrites=false"
	two := startService(t, append([]string{"--mongo-uri", socket}, shared...)...)
	both := []*program{one, two}
	createMembers(t, dir, "Veiled")

	t.Run("a code is redeemed once", func(t *testing.T) {
		app, _ := registerApplication(t, dir, "Veiled", application{redirects: []string{redirectURI}})
		code := issueCode(t, dir, "Veiled", auth.Grant{
			App: app, RedirectURI: redirectURI, Scopes: []string{"identify"},
			Challenge: rfcChallenge,
		})
		form := url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirectURI},
			"client_id": {app}, "code_verifier": {rfcVerifier},
		}
		var redeemed atomic.Int64
		var token atomic.Value
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Go(func() {
				res, body := exchange(t, both[i%2], form)
				switch {
				case res.StatusCode == 200:
					redeemed.Add(1)
					token.Store(body["access_token"])
				case res.StatusCode != 400 || body["error"] != "invalid_grant":
					t.Errorf("%d %v", res.StatusCode, body)
				}
			})
		}
		wg.Wait()
		if redeemed.Load() != 1 {
			t.Fatalf("redeemed %d times", redeemed.Load())
		}
		for i, p := range both {
			if res, _ := getWithToken(t, p, token.Load().(string), "/v3/oauth/me"); res.StatusCode != 200 {
				t.Errorf("instance %d does not know the token: %d", i+1, res.StatusCode)
			}
		}
	})

	t.Run("one counter for both", func(t *testing.T) {
		for i, want := range []int{200, 429, 429} {
			r, body := get(t, both[i%2].base+"/v3/map/quests")
			if r.StatusCode != want || r.Header.Get("RateLimit-Limit") != "1" || r.Header.Get("RateLimit-Remaining") != "0" {
				t.Errorf("request %d: %d, %v: %s", i, r.StatusCode, r.Header, body)
			}
		}
		_, body := get(t, two.base+"/graphql?query={rateLimit{buckets{bucket,remaining}}}")
		if !strings.Contains(body, `{"bucket":"MAP","remaining":0}`) {
			t.Error(body)
		}
	})

	t.Run("one counter of sign-in attempts", func(t *testing.T) {
		status := 0
		for i := range 11 {
			user := newWebUser(t, both[i%2]).signIn("Unknown account", "a wrong one, long enough")
			if status = user.response.StatusCode; i < 10 && status == http.StatusTooManyRequests {
				t.Fatalf("attempt %d: got 429", i+1)
			}
		}
		if status != http.StatusTooManyRequests {
			t.Errorf("the eleventh attempt: got %d, want 429", status)
		}
	})

	t.Run("without Redis each counts alone", func(t *testing.T) {
		ready := func(p *program, want string) {
			t.Helper()
			var body string
			for deadline := time.Now().Add(30 * time.Second); !strings.HasPrefix(body, want); {
				if time.Now().After(deadline) {
					t.Fatalf("got readiness %q, want %q", body, want)
				}
				var r *http.Response
				if r, body = get(t, p.base+"/readyz"); r.StatusCode != 200 {
					t.Fatalf("not ready: %d %s", r.StatusCode, body)
				}
			}
		}
		metric := func(up string) {
			t.Helper()
			if _, page := get(t, adminBase(t, one)+"/metrics"); !strings.Contains(page, "\ngamedata_redis_up "+up+"\n") {
				t.Errorf("got no metric gamedata_redis_up %s", up)
			}
		}
		ready(one, "ok")
		metric("1")
		for _, p := range both { // afterwards the quota is spent, and both instances know it
			get(t, p.base+"/v3/map/quests")
		}
		counters.Stop()
		ready(one, "degraded: limits: redis does not respond")
		metric("0")
		for i, p := range both {
			if r, _ := get(t, p.base+"/v3/map/quests"); r.StatusCode != 429 {
				t.Errorf("instance %d: got %d for a spent quota, want 429", i+1, r.StatusCode)
			}
			if r, _ := get(t, p.base+"/v3/classes"); r.StatusCode != 200 || r.Header.Get("RateLimit-Limit") != "50" {
				t.Errorf("instance %d: %d %v", i+1, r.StatusCode, r.Header)
			}
		}
		if n := strings.Count(one.stderr.String(), "redis does not respond: counting rate limits by this instance"); n != 1 {
			t.Errorf("got %d log messages about the outage, want 1: %s", n, one.stderr)
		}
		counters.Start()
		ready(one, "ok")
		ready(two, "ok")
		metric("1")
	})
}
