package ratelimit

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// How often a shard drops counters that are full again. Only charges trigger a sweep: an idle limiter does no work.
const (
	sweepEvery = int64(10 * time.Second)
	// A full shard sweeps once a second during a flood of new keys, which costs far less than the flood itself.
	sweepAtBound = int64(time.Second)
)

// A shard holds at most max counters, each as the time at which it is full again.
//
// A counter in use is never evicted, so a flood of other keys cannot reset it. Keys beyond the bound share one overflow
// counter for each bucket and rate of the shard, with the ordinary limit. They may be rejected early, but known keys
// are unaffected and nobody gains quota.
type shard struct {
	sync.Mutex
	max      int
	size     int // counters in all buckets
	peak     int // largest size since the maps were last rebuilt
	swept    int64
	buckets  map[string]map[string]int64
	overflow map[overflowKey]int64
}

type overflowKey struct {
	bucket string
	rate   Rate
}

func (s *shard) init(max int) {
	s.max = max
	s.buckets = map[string]map[string]int64{}
	s.overflow = map[overflowKey]int64{}
}

// judge decides about a charge and, with spend, stores the new state. capacity says whether there is capacity for an
// unknown key's own counter.
func (s *shard) judge(key string, c Charge, now int64, capacity, spend bool) Decision {
	full, known := s.buckets[c.Bucket][key]
	shared := !known && !capacity
	if shared {
		full = s.overflow[overflowKey{c.Bucket, c.Rate}]
	}
	owed, d := c.Judge(time.Duration(full-now), spend)
	full = now + int64(owed)
	switch {
	case !spend:
	case shared:
		s.overflow[overflowKey{c.Bucket, c.Rate}] = full
	default:
		s.set(c.Bucket, key, full, now)
	}
	return d
}

// set sets a counter. A new counter that is full need not be stored.
func (s *shard) set(bucket, key string, full, now int64) {
	counters := s.buckets[bucket]
	if _, known := counters[key]; known {
		counters[key] = full
		return
	}
	if full <= now {
		return
	}
	if counters == nil {
		counters = map[string]int64{}
		s.buckets[strings.Clone(bucket)] = counters
	}
	counters[strings.Clone(key)] = full // the caller's key may be part of a larger string
	s.size++
	s.peak = max(s.peak, s.size)
}

// hasCapacity sweeps if due, then reports whether n new counters fit.
func (s *shard) hasCapacity(n int, now int64) bool {
	since := now - s.swept
	if since >= sweepEvery || s.size+n > s.max && since >= sweepAtBound || since < 0 {
		s.sweep(now)
	}
	return s.size+n <= s.max
}

// sweep drops the counters that are full again. Maps do not shrink: after dropping most keys, it copies the rest to
// smaller maps.
func (s *shard) sweep(now int64) {
	s.swept = now
	s.size = 0
	for _, counters := range s.buckets {
		maps.DeleteFunc(counters, func(_ string, full int64) bool { return full <= now })
		s.size += len(counters)
	}
	if s.peak < 64 || s.size > s.peak/4 {
		return
	}
	for bucket, counters := range s.buckets {
		smaller := make(map[string]int64, len(counters))
		maps.Copy(smaller, counters)
		s.buckets[bucket] = smaller
	}
	s.peak = s.size
}
