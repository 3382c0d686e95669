package ratelimit_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"gamedata/internal/benchtest"
	"gamedata/internal/ratelimit"
)

func BenchmarkTake(b *testing.B) {
	keys := make([]string, 100_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("2001:db8:%x:%x::", i>>16, i&0xffff)
	}
	b.Run("known", func(b *testing.B) {
		l := ratelimit.New(ratelimit.Options{})
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				l.Take("ITEMS", keys[i%1000], 1, perMinute(50))
			}
		})
	})
	b.Run("new", func(b *testing.B) {
		l := ratelimit.New(ratelimit.Options{MaxKeys: 1 << 20})
		for i := 0; b.Loop(); i++ {
			l.Take("ITEMS", keys[i%len(keys)], 1, perMinute(50))
		}
	})
	b.Run("flood at the bound", func(b *testing.B) {
		l := ratelimit.New(ratelimit.Options{MaxKeys: len(keys) / 2})
		for _, k := range keys {
			l.Take("ITEMS", k, 50, perMinute(50))
		}
		for i := 0; b.Loop(); i++ {
			l.Take("ITEMS", keys[i%len(keys)], 1, perMinute(50))
		}
	})
}

// BenchmarkMemory reports what one counter costs when the limiter is full, the key's
// own bytes included.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		l := ratelimit.New(ratelimit.Options{})
		for i := range ratelimit.DefaultMaxKeys {
			l.Take("ITEMS", fmt.Sprintf("2001:db8:%x:%x::", i>>16, i&0xffff), 50, ratelimit.Rate{Limit: 50, Per: time.Hour})
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(l.Keys()), "bytes/key")
		runtime.KeepAlive(l)
	}
}

func TestBenchmarks(t *testing.T) {
	benchtest.Run(t, BenchmarkTake, BenchmarkMemory)
}
