// Package cache stores finished values in memory while they are fresh, and for a stale window in case the store fails.
// Concurrent callers share one load. Callers choose values, keys and who may see a value: viewers who may see different
// things never share a key. The package imports no other package of the module and does not know HTTP.
//
// A cache may evict anything at any time. Do not store codes, counters or revocations here.
package cache

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/ristretto/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// entryOverhead is the memory of an entry besides its value and key, in bytes.
	entryOverhead = 400
	// typicalEntry is the entry size assumed to size ristretto's frequency counters: ten counters for each entry that
	// fits.
	typicalEntry = 4 << 10
	// retryAfter is the pause after a failed load of a key that has a stale value: not every caller waits for a failing
	// store.
	retryAfter = time.Second
)

// Options of a Cache.
type Options struct {
	// MaxBytes limits values and keys; at least 1.
	MaxBytes int64
	// Timeout limits the load of one value, whatever the callers' deadlines; 5 s when 0.
	Timeout time.Duration
	// Now is the clock for freshness; time.Now when nil.
	Now func() time.Time
	// Invalidations holds the purges to apply; nil means none.
	Invalidations *Invalidations
}

// Entry is a value with its freshness.
type Entry[V any] struct {
	Value V
	// Made is when the oldest record in the value was loaded: it is fresh until Made + MaxAge.
	Made time.Time
	// A MaxAge of 0 prevents caching.
	MaxAge time.Duration
	// Stale is how much longer the value may be served while loading fails.
	Stale time.Duration
	// Size is the size of the value in bytes.
	Size int
	// Tags name the purges that remove the value.
	Tags []string
	// Failing says that the store failed during the load: a stale value is better. The value is not cached.
	Failing bool
}

// Cache stores values by key. It is safe for concurrent use.
type Cache[V any] struct {
	o       Options
	entries *ristretto.Cache[string, *stored[V]]
	flights singleflight.Group

	mu      sync.RWMutex // orders closing and new loads
	closed  bool
	loading sync.WaitGroup

	evicted atomic.Uint64
}

// stored includes the whole key: ristretto compares only hashes.
type stored[V any] struct {
	key        string
	entry      Entry[V]
	failed     atomic.Int64  // when loading a newer value last failed, Unix nanoseconds
	generation atomic.Uint64 // the last generation at which the value was known to be valid
}

// New returns a cache; Close ends it.
func New[V any](o Options) (*Cache[V], error) {
	if o.MaxBytes < 1 {
		return nil, errors.New("cache: MaxBytes must be at least 1")
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Invalidations == nil {
		o.Invalidations = new(Invalidations)
	}
	c := &Cache[V]{o: o}
	var err error
	if c.entries, err = ristretto.NewCache(&ristretto.Config[string, *stored[V]]{
		NumCounters: max(1000, 10*o.MaxBytes/typicalEntry), MaxCost: o.MaxBytes, BufferItems: 64,
		OnEvict: func(item *ristretto.Item[*stored[V]]) {
			if item.Expiration.IsZero() { // otherwise the entry had expired
				c.evicted.Add(1)
			}
		},
	}); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return c, nil
}

// Stats describe how full a cache is.
type Stats struct {
	// Bytes is the size of values and keys, with overhead.
	Bytes int64
	// Evicted counts the values that were evicted before they expired.
	Evicted uint64
}

// Stats returns the current statistics.
func (c *Cache[V]) Stats() Stats {
	return Stats{Bytes: c.o.MaxBytes - c.entries.RemainingCost(), Evicted: c.evicted.Load()}
}

// Close waits for values being loaded and closes the cache.
func (c *Cache[V]) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.loading.Wait()
	c.entries.Close()
}

// Get returns the fresh value of a key, or nil. For retryAfter after a failed load it returns the stale value.
func (c *Cache[V]) Get(key string) *Entry[V] {
	s := c.find(key)
	if s == nil {
		return nil
	}
	now := c.o.Now()
	if age := now.Sub(s.entry.Made); age >= s.entry.MaxAge {
		failed := s.failed.Load()
		if failed == 0 || now.Sub(time.Unix(0, failed)) >= retryAfter || age >= s.entry.MaxAge+s.entry.Stale {
			return nil
		}
	}
	return &s.entry
}

func (c *Cache[V]) find(key string) *stored[V] {
	s, ok := c.entries.Get(key)
	if !ok || s.key != key {
		return nil
	}
	if now, known := c.o.Invalidations.Generation(), s.generation.Load(); now != known {
		if c.o.Invalidations.InvalidatedSince(s.entry.Tags, known) {
			c.entries.Del(key)
			return nil
		}
		s.generation.Store(now)
	}
	return s
}

// stale returns a key's stale value if it may still be served, or nil. It prevents another load for retryAfter.
func (c *Cache[V]) stale(key string) *Entry[V] {
	s := c.find(key)
	now := c.o.Now()
	if s == nil || now.Sub(s.entry.Made) >= s.entry.MaxAge+s.entry.Stale {
		return nil
	}
	s.failed.Store(now.UnixNano())
	return &s.entry
}

// Resize changes the size of a key's value in bytes, if it is still cached.
func (c *Cache[V]) Resize(key string, size int) {
	s := c.find(key)
	if s == nil {
		return
	}
	if left := s.entry.Made.Add(s.entry.MaxAge + s.entry.Stale).Sub(c.o.Now()); left > 0 {
		c.entries.SetWithTTL(key, s, int64(size+len(key)+entryOverhead), left)
	}
}

// Wait waits until all values put so far are visible: ristretto buffers writes.
func (c *Cache[V]) Wait() { c.entries.Wait() }

// Put stores a value loaded at a generation of the invalidations, and reports whether it did: not if the value has
// expired or was purged since. The value may become visible a moment later: see Wait.
func (c *Cache[V]) Put(key string, e Entry[V], generation uint64) bool {
	now := c.o.Now()
	if e.Failing || e.MaxAge <= 0 || now.Sub(e.Made) >= e.MaxAge ||
		c.o.Invalidations.InvalidatedSince(e.Tags, generation) {
		return false
	}
	s := &stored[V]{key: key, entry: e}
	s.generation.Store(generation)
	ttl := e.Made.Add(e.MaxAge + e.Stale).Sub(now)
	return c.entries.SetWithTTL(key, s, int64(e.Size+len(key)+entryOverhead), ttl)
}

// AppendString adds a string to a key so that no two lists of strings give the same key.
func AppendString(key []byte, s string) []byte {
	key = strconv.AppendInt(key, int64(len(s)), 10)
	key = append(key, ':')
	return append(key, s...)
}
