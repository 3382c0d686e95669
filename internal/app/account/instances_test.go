package account

import (
	"net/http"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/ratelimit/redistest"
)

// Two instances share one store and one Redis.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	counters := redistest.Start(t)
	shared := []string{"--redis-url", counters.URL, "--rates", "MAP.guest=1"}
	one, dir := apptest.StartDemo(t, append(shared, "--admin-listen", "127.0.0.1:0")...)
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
		if metrics := apptest.Get(t, apptest.AdminBase(t, one)+"/metrics"); !metrics.Has("\ngamedata_redis_up 1\n") {
			t.Error("got no metric of Redis")
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
}
