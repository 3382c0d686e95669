package ratelimit

import "time"

// Owed and Learn make a Limiter the replica of a store that counts for several processes: it learns
// the store's state and can continue from there when the store fails.

// Owed returns for each charge the time until the key's counter is full; 0 for an unknown one.
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

// Learn sets the time until the key's counter of each charge is full. A longer known time stays, since
// responses may arrive out of order. Beyond the capacity nothing is learned.
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
