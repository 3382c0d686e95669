package redis_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/ratelimit/redistest"
)

// Any history: two instances on one Redis decide as one counter in a process does, to the
// microsecond.
func TestSameAsLocal(t *testing.T) {
	server := redistest.Start(t)
	now := time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	instances := []ratelimit.Counters{
		open(t, redis.Options{URL: server.URL, Now: clock}),
		open(t, redis.Options{URL: server.URL, Now: clock}),
	}
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		local := ratelimit.New(ratelimit.Options{Now: clock})
		rates := map[string]ratelimit.Rate{
			"ITEMS": perMinute(rapid.IntRange(0, 200).Draw(t, "ITEMS")),
			"MAP":   perMinute(rapid.IntRange(1, 100_000).Draw(t, "MAP")),
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 20_000_000).Draw(t, "wait")) * time.Microsecond)
			shared := instances[rapid.IntRange(0, 1).Draw(t, "instance")]
			key := fmt.Sprintf("run %d %s", run, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"))
			charges := []ratelimit.Charge{
				{Bucket: "ITEMS", Cost: rapid.IntRange(0, rates["ITEMS"].Limit+1).Draw(t, "items"), Rate: rates["ITEMS"]},
				{Bucket: "MAP", Cost: rapid.IntRange(-1, rates["MAP"].Limit/10+1).Draw(t, "map"), Rate: rates["MAP"]},
			}
			if rapid.Bool().Draw(t, "one") {
				c := charges[0]
				if diff := cmp.Diff(local.Take(c.Bucket, key, c.Cost, c.Rate), shared.Take(c.Bucket, key, c.Cost,
					c.Rate)); diff != "" {
					t.Fatalf("Take (-local +shared):\n%s", diff)
				}
			} else {
				want, wantOK := local.TakeAll(key, charges)
				got, gotOK := shared.TakeAll(key, charges)
				if diff := cmp.Diff(want, got); diff != "" || wantOK != gotOK {
					t.Fatalf("TakeAll (-local +shared):\n%s", diff)
				}
			}
			if diff := cmp.Diff(local.Peek(key, charges), shared.Peek(key, charges)); diff != "" {
				t.Fatalf("Peek (-local +shared):\n%s", diff)
			}
		}
	})
}
