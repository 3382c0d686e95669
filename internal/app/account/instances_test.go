package account

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/ratelimit/redistest"
)

// Two instances share one store and one Redis.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	counters := redistest.Start(t)
	shared := []string{"--redis-url", counters.URL, "--rates", "MAP.guest=1"}
	one, dir := apptest.StartDemo(t, append(shared, "--guest-rate", "50", "--admin-listen", "127.0.0.1:0")...)
	two := apptest.StartSecond(t, dir, shared...)
	both := []*apptest.Program{one, two}
	t.Run("one counter for both", func(t *testing.T) {
		for i, want := range []int{200, 429, 429} {
			r := apptest.Get(t, both[i%2].Base+"/v3/map/quests")
			if r.Status != want || r.Header.Get("RateLimit-Limit") != "1" || r.Header.Get("RateLimit-Remaining") != "0" {
				t.Errorf("request %d: %d, %v: %s", i, r.Status, r.Header, string(r.Body))
			}
		}
		res := apptest.Get(t, two.Base+"/graphql?query={rateLimit{buckets{bucket,remaining}}}")
		if !res.Has(`{"bucket":"MAP","remaining":0}`) {
			t.Error(string(res.Body))
		}
	})

	t.Run("one counter of sign-in attempts", func(t *testing.T) {
		status := 0
		for i := range 11 {
			user := newWebUser(t, both[i%2]).signIn("Unknown account", "a wrong one, long enough")
			status = user.response.StatusCode
			if i < 10 && status == http.StatusTooManyRequests {
				t.Fatalf("attempt %d: got 429", i+1)
			}
		}
		if status != http.StatusTooManyRequests {
			t.Errorf("the eleventh attempt: got %d, want 429", status)
		}
	})

	t.Run("without Redis each counts alone", func(t *testing.T) {
		ready := func(p *apptest.Program, want string) {
			t.Helper()
			for deadline := time.Now().Add(3 * time.Minute); ; {
				r := apptest.Get(t, p.Base+"/readyz")
				r.Expect(t, "readiness", 200)
				if strings.HasPrefix(string(r.Body), want) {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("got readiness %q, want %q", r.Body, want)
				}
			}
		}
		metric := func(up string) {
			t.Helper()
			if res := apptest.Get(t, apptest.AdminBase(t, one)+"/metrics"); !res.Has("\ngamedata_redis_up " + up + "\n") {
				t.Errorf("got no metric gamedata_redis_up %s", up)
			}
		}
		ready(one, "ok")
		metric("1")
		for _, p := range both { // afterwards the quota is spent, and both instances know it
			apptest.Get(t, p.Base+"/v3/map/quests")
		}
		counters.Stop()
		ready(one, "degraded: limits: redis does not respond")
		metric("0")
		for i, p := range both {
			if r := apptest.Get(t, p.Base+"/v3/map/quests"); r.Status != 429 {
				t.Errorf("instance %d: got %d for a spent quota, want 429", i+1, r.Status)
			}
			if r := apptest.Get(t, p.Base+"/v3/classes"); r.Status != 200 || r.Header.Get("RateLimit-Limit") != "50" {
				t.Errorf("instance %d: %d %v", i+1, r.Status, r.Header)
			}
		}
		if n := strings.Count(one.Stderr.String(), "redis does not respond: counting rate limits by this instance"); n != 1 {
			t.Errorf("got %d log messages about the outage, want 1: %s", n, one.Stderr)
		}
		counters.Start()
		ready(one, "ok")
		ready(two, "ok")
		metric("1")
	})
}
