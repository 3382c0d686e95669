package redis_test

import (
	"fmt"
	"testing"

	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/ratelimit/redistest"
)

// What a decision in Redis costs beside one in the process, over loopback.
func BenchmarkTake(b *testing.B) {
	server := redistest.Start(b)
	shared := open(b, redis.Options{URL: server.URL})
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprintf("guest 2001:db8:0:%x::", i)
	}
	for _, c := range []struct {
		name     string
		counters ratelimit.Counters
	}{{"local", ratelimit.New(ratelimit.Options{})}, {"redis", shared}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.counters.Take("ITEMS", keys[i%len(keys)], 1, perMinute(1_000_000))
			}
		})
		b.Run(c.name+" in parallel", func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					c.counters.Take("ITEMS", keys[i%len(keys)], 1, perMinute(1_000_000))
				}
			})
		})
	}
}
