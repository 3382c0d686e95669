package account

import (
	"fmt"
	"net/http"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/ratelimit/redistest"
)

// Two instances share one store and one Redis.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	counters := redistest.Start(t)
	// On a busy machine Redis needs time.
	shared := []string{"--redis-url", counters.URL + "?read_timeout=1m", "--rates", "MAP.guest=1"}
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
		expectRedis(t, one, 1)
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

	counters.Stop()
	apptest.Get(t, one.Base+"/v3/map/quests") // notices it
	expectRedis(t, one, 0)
}

// expectRedis checks the metric that says whether an instance counts in Redis.
func expectRedis(t *testing.T, p *apptest.Program, want int) {
	t.Helper()
	metrics := apptest.Get(t, apptest.AdminBase(t, p)+"/metrics")
	if !metrics.Has(fmt.Sprintf("\ngamedata_redis_up %d\n", want)) {
		t.Errorf("the metric gamedata_redis_up is not %d", want)
	}
}
