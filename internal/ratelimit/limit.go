// Package ratelimit counts requests: one counter for each bucket and caller, spent by
// weighted cost and refilled evenly over time (GCRA), with the numbers of WIRE §1.2
// read from the very decision that let a request pass or refused it.
//
// Nothing about HTTP, viewers or who owns a key belongs here: a key is a string, a
// bucket is a string, a clock is a function. The package imports nothing of ours.
package ratelimit

import (
	"hash/maphash"
	"time"
)

// Rate is what a counter allows: Limit requests in Per, all at once when the counter
// is full, and one more every Per/Limit as it refills. A Limit of 0 or less lets
// nothing pass.
type Rate struct {
	Limit int
	Per   time.Duration
}

// Charge is one cost to be taken from one bucket.
type Charge struct {
	Bucket string
	Cost   int
	Rate   Rate
}

// Decision is the outcome of one Take or Peek and the state of the counter right
// after it; the headers of WIRE §1.2 are these numbers.
type Decision struct {
	Allowed   bool
	Limit     int // requests the counter allows per Rate.Per
	Remaining int // requests of cost 1 that would pass right now, never below 0
	// Reset is the time until the counter is full again, from 0 to Rate.Per.
	Reset time.Duration
	// RetryAfter is the wait after which the refused cost passes; 0 when allowed. It
	// is never longer than Reset. A cost above the limit never passes: its RetryAfter
	// equals Reset and the caller should say so in another way.
	RetryAfter time.Duration
	Bucket     string
}

// Counters are what a caller's requests are counted by: those of this process, or of a store
// that several share.
type Counters interface {
	// Take spends cost from the counter of (bucket, key) when that much is left. A refused
	// Take is not counted. A cost of 0 or less spends nothing and always passes.
	Take(bucket, key string, cost int, r Rate) Decision
	// TakeAll spends every charge from the key's counters, or none of them when one is
	// refused. A bucket may appear once only. The decisions stand in the order of the
	// charges; on refusal Allowed is false in those that lack room, and the others tell
	// their unspent state.
	TakeAll(key string, charges []Charge) (decisions []Decision, allowed bool)
	// Peek tells the state of the counter without spending; Allowed says whether a cost of 1
	// would pass.
	Peek(bucket, key string, r Rate) Decision
	// PeekAll is Peek for several buckets; the costs of the charges do not count.
	PeekAll(key string, charges []Charge) []Decision
}

var _ Counters = (*Limiter)(nil)

// DefaultMaxKeys bounds the counters kept when Options names no other number; a full
// limiter of this size holds about 12 MB (BenchmarkMemory).
const DefaultMaxKeys = 200_000

// Options of a Limiter; the zero value is usable.
type Options struct {
	Now     func() time.Time // clock, time.Now by default
	MaxKeys int              // most counters kept at once, DefaultMaxKeys by default
}

// Limiter holds the counters. It is safe for concurrent use and exact: of any number
// of parallel Takes on a full counter exactly Limit units pass.
type Limiter struct {
	now    func() time.Time
	start  time.Time // times are kept as nanoseconds since start, immune to wall clock steps
	seed   maphash.Seed
	shards []shard
}

// maxShards is how many locks the keys are spread over. All buckets of one key lie in
// one shard, so TakeAll is one critical section.
const maxShards = 64

// New returns an empty Limiter.
func New(o Options) *Limiter {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxKeys <= 0 {
		o.MaxKeys = DefaultMaxKeys
	}
	// A shard of few keys would refuse long before the whole is full, because keys do
	// not spread evenly: small limiters get fewer shards.
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
	return s.take(key, Charge{bucket, cost, r}, now, s.room(1, now))
}

// TakeAll implements Counters.
func (l *Limiter) TakeAll(key string, charges []Charge) (decisions []Decision, allowed bool) {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	room := s.room(len(charges), now) // decided once, so that looking and taking agree
	decisions = make([]Decision, len(charges))
	allowed = true
	for i, c := range charges {
		decisions[i] = s.peek(key, c, now, room)
		allowed = allowed && decisions[i].Allowed
	}
	if !allowed {
		return decisions, false
	}
	for i, c := range charges {
		decisions[i] = s.take(key, c, now, room)
	}
	return decisions, true
}

// Peek implements Counters.
func (l *Limiter) Peek(bucket, key string, r Rate) Decision {
	return l.PeekAll(key, []Charge{{Bucket: bucket, Rate: r}})[0]
}

// PeekAll implements Counters.
func (l *Limiter) PeekAll(key string, charges []Charge) []Decision {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	decisions := make([]Decision, len(charges))
	for i, c := range charges {
		c.Cost = 1
		decisions[i] = s.peek(key, c, now, s.size < s.max)
	}
	return decisions
}

// Keys tells how many counters are held.
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
