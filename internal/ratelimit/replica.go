package ratelimit

import "time"

// What follows lets a Limiter stand beside a store that counts for several processes: it
// learns what the store said, so that it can go on alone from there.

// Owed tells for each charge how long the key's counter takes until it is full; 0 for one that
// is not known here.
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

// Learn sets how long the key's counter of each charge takes until it is full. What was known
// as more stays, since answers may come in another order than they were given in. Where there is
// no room for another counter nothing is learned.
func (l *Limiter) Learn(key string, charges []Charge, owed []time.Duration) {
	now := l.elapsed()
	s := l.shard(key)
	s.Lock()
	defer s.Unlock()
	room := s.room(len(charges), now)
	for i, c := range charges {
		full, known := s.buckets[c.Bucket][key]
		if known || room {
			s.keep(c.Bucket, key, max(full, now+int64(owed[i])), now)
		}
	}
}
