// Package ratelimit counts requests: one counter for each bucket and caller, charged by weighted cost
// and refilled evenly over time (GCRA). The numbers of a decision describe the counter right after it.
//
// It knows nothing of HTTP or viewers: a key is a string, a bucket is a string, a clock is a function. The package
// imports no other package of the module.
package ratelimit

import (
	"hash/maphash"
	"time"
)

// Rate allows Limit requests per Per: all at once while the counter is full, and one more every Per/Limit as it
// refills. A Limit of 0 or less allows nothing.
type Rate struct {
	Limit int
	Per   time.Duration
}

// Charge is a cost for one bucket.
type Charge struct {
	Bucket string
	Cost   int
	Rate   Rate
}

// Decision is the result of one Take or Peek and the state of the counter right after it. The RateLimit headers report
// these numbers.
type Decision struct {
	Allowed   bool
	Limit     int // requests the counter allows per Rate.Per
	Remaining int // requests of cost 1 that would pass right now, never below 0
	// Reset is the time until the counter is full again, from 0 to Rate.Per.
	Reset time.Duration
	// RetryAfter is the wait after which the rejected cost passes; 0 when allowed. It is never longer than Reset. A
	// cost above the limit never passes: its RetryAfter equals Reset, and the caller must report the excess separately.
	RetryAfter time.Duration
	Bucket     string
}

// Counters counts the requests of callers, in this process or in a store shared by several processes.
type Counters interface {
	// Take charges cost to the counter of (bucket, key) when that much is left. A rejected Take is
	// not counted. A cost of 0 or less charges nothing and always passes.
	Take(bucket, key string, cost int, r Rate) Decision
	// TakeAll applies all charges to the key's counters, or none when one is rejected. A bucket may appear only once.
	// The decisions are in the order of the charges. After a rejection, Allowed is false in the decisions that lack
	// quota, and the other decisions report unchanged counters.
	TakeAll(key string, charges []Charge) (decisions []Decision, allowed bool)
	// Peek returns the state of the key's counters without charging them. It ignores the costs: Allowed says whether a
	// cost of 1 would pass.
	Peek(key string, charges []Charge) []Decision
}

var _ Counters = (*Limiter)(nil)

// DefaultMaxKeys is the default of Options.MaxKeys; a full limiter of this size takes about 12 MB.
const DefaultMaxKeys = 200_000

// Options of a Limiter; the zero value is usable.
type Options struct {
	Now     func() time.Time // clock, time.Now by default
	MaxKeys int              // most counters at once, DefaultMaxKeys by default
}

// Limiter counts in memory. It is safe for concurrent use and exact: of any number of parallel Takes on a full counter
// exactly Limit units pass.
type Limiter struct {
	now    func() time.Time
	start  time.Time // times are nanoseconds since start, immune to wall clock steps
	seed   maphash.Seed
	shards []shard
}

// maxShards is the number of locks that the keys are spread over. All buckets of a key are in one shard: TakeAll is one
// critical section.
const maxShards = 64

// New returns an empty Limiter.
func New(o Options) *Limiter {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxKeys <= 0 {
		o.MaxKeys = DefaultMaxKeys
	}
	// Keys spread unevenly: a small shard would be full long before the whole limiter. Small limiters get fewer shards.
	n := min(maxShards, max(1, o.MaxKeys/1024))
	l := &Limiter{now: o.Now, start: o.Now(), seed: maphash.MakeSeed(), shards: make([]shard, n)}
	for i := range l.shards {
		l.shards[i].init(o.MaxKeys / n)
	}
	return l
}

// Take implements Counters.
func (l *Limiter) Take(bucket, key string, cost int, r Rate) Decision {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	return s.judge(key, Charge{bucket, cost, r}, now, s.hasCapacity(1, now), true)
}

// TakeAll implements Counters.
func (l *Limiter) TakeAll(key string, charges []Charge) (decisions []Decision, allowed bool) {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	capacity := s.hasCapacity(len(charges), now) // decided once for both passes
	decisions = make([]Decision, len(charges))
	allowed = true
	for i, c := range charges {
		decisions[i] = s.judge(key, c, now, capacity, false)
		allowed = allowed && decisions[i].Allowed
	}
	if !allowed {
		return decisions, false
	}
	for i, c := range charges {
		decisions[i] = s.judge(key, c, now, capacity, true)
	}
	return decisions, true
}

// Peek implements Counters.
func (l *Limiter) Peek(key string, charges []Charge) []Decision {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	decisions := make([]Decision, len(charges))
	for i, c := range charges {
		c.Cost = 1
		decisions[i] = s.judge(key, c, now, s.size < s.max, false)
	}
	return decisions
}

// Owed returns for each charge the time until the key's counter is full, 0 if unknown. With Owed and Learn, a Limiter
// replicates a store shared by several processes: it learns the store's state and continues from there when the store
// fails.
func (l *Limiter) Owed(key string, charges []Charge) []time.Duration {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	owed := make([]time.Duration, len(charges))
	for i, c := range charges {
		owed[i] = time.Duration(max(0, s.buckets[c.Bucket][key]-now))
	}
	return owed
}

// Learn sets the time until the key's counter of each charge is full. A longer known time stays, since responses may
// arrive out of order. At capacity it learns no new keys.
func (l *Limiter) Learn(key string, charges []Charge, owed []time.Duration) {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	capacity := s.hasCapacity(len(charges), now)
	for i, c := range charges {
		full, known := s.buckets[c.Bucket][key]
		if known || capacity {
			s.set(c.Bucket, key, max(full, now+int64(owed[i])), now)
		}
	}
}

// Keys returns the number of counters.
func (l *Limiter) Keys() int {
	n := 0
	for i := range l.shards {
		s := &l.shards[i]
		s.Lock()
		n += s.size
		s.Unlock()
	}
	return n
}

func (l *Limiter) elapsed() int64 { return int64(l.now().Sub(l.start)) }

func (l *Limiter) shard(key string) *shard {
	return &l.shards[maphash.String(l.seed, key)%uint64(len(l.shards))]
}
