package cache

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/ristretto/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// perEntry is what an entry takes besides its value and its key, in bytes.
	perEntry = 400
	// expected is the size of an entry that the counters are laid out for: ten of them for
	// each entry there is room for. They tell which keys are asked for often.
	expected = 4 << 10
	// retryAfter is how long a key whose value could not be made is not tried again while an
	// older value may be served, so that callers do not all wait for a store that is away.
	retryAfter = time.Second
)

// Options of a cache.
type Options struct {
	// Bytes is the room for values and keys, 1 at least.
	Bytes int64
	// Timeout bounds the making of one value, whoever still waits for it; 5 s when 0.
	Timeout time.Duration
	// Now tells the time that decides what is fresh; time.Now when nil.
	Now func() time.Time
	// Ledger tells what was purged; one that nobody else writes when nil.
	Ledger *Ledger
}

// Kept is a value and how long it is good for.
type Kept[V any] struct {
	Value V
	// Made is when the oldest thing in the value was fetched: it is fresh until Made + MaxAge.
	Made time.Time
	// MaxAge of 0 keeps nothing.
	MaxAge time.Duration
	// Stale is how much longer it may be served while nothing newer can be made.
	Stale time.Duration
	// Size is the bytes of the value.
	Size int
	// Tags are what the value goes with when it is purged.
	Tags []string
	// Failing says that the store failed while the value was made, so that an older one is
	// better. It is not kept.
	Failing bool
}

// Cache keeps values by key. It is safe for concurrent use.
type Cache[V any] struct {
	o       Options
	entries *ristretto.Cache[string, *entry[V]]
	flights singleflight.Group

	mu     sync.RWMutex // guards closed against flights that begin
	closed bool
	flying sync.WaitGroup

	evicted atomic.Uint64
}

// entry holds its whole key: the store below knows hashes alone.
type entry[V any] struct {
	key    string
	kept   Kept[V]
	failed atomic.Int64  // when a newer value could not be made, Unix nanoseconds
	purges atomic.Uint64 // that the value is known to have outlived
}

// New returns a cache. Close it when nobody asks any more.
func New[V any](o Options) (*Cache[V], error) {
	if o.Bytes < 1 {
		return nil, errors.New("cache: no room")
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Ledger == nil {
		o.Ledger = new(Ledger)
	}
	c := &Cache[V]{o: o}
	var err error
	if c.entries, err = ristretto.NewCache(&ristretto.Config[string, *entry[V]]{
		NumCounters: max(1000, 10*o.Bytes/expected), MaxCost: o.Bytes, BufferItems: 64,
		OnEvict: func(item *ristretto.Item[*entry[V]]) {
			if item.Expiration.IsZero() { // else its time was over
				c.evicted.Add(1)
			}
		},
	}); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return c, nil
}

// State is how full a cache is.
type State struct {
	// Bytes are those of values and keys, and what holding them takes.
	Bytes int64
	// Evicted is how many values gave way to others before their time, so far.
	Evicted uint64
}

// State tells how full the cache is.
func (c *Cache[V]) State() State {
	return State{Bytes: c.o.Bytes - c.entries.RemainingCost(), Evicted: c.evicted.Load()}
}

// Close waits for the values being made and ends the cache.
func (c *Cache[V]) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.flying.Wait()
	c.entries.Close()
}

// Get returns the value of a key while it is fresh, nil when there is none. For a moment
// after a newer one could not be made, the older one counts.
func (c *Cache[V]) Get(key string) *Kept[V] {
	e := c.find(key)
	if e == nil {
		return nil
	}
	now := c.o.Now()
	if age := now.Sub(e.kept.Made); age >= e.kept.MaxAge {
		failed := e.failed.Load()
		if failed == 0 || now.Sub(time.Unix(0, failed)) >= retryAfter || age >= e.kept.MaxAge+e.kept.Stale {
			return nil
		}
	}
	return &e.kept
}

func (c *Cache[V]) find(key string) *entry[V] {
	e, ok := c.entries.Get(key)
	if !ok || e.key != key {
		return nil
	}
	if purges, known := c.o.Ledger.Count(), e.purges.Load(); purges != known {
		if c.o.Ledger.Gone(e.kept.Tags, known) {
			c.entries.Del(key)
			return nil
		}
		e.purges.Store(purges)
	}
	return e
}

// stale is the value of a key that may be served although it is not fresh, nil when there is
// none. It is not tried to be made again for a moment.
func (c *Cache[V]) stale(key string) *Kept[V] {
	e := c.find(key)
	now := c.o.Now()
	if e == nil || now.Sub(e.kept.Made) >= e.kept.MaxAge+e.kept.Stale {
		return nil
	}
	e.failed.Store(now.UnixNano())
	return &e.kept
}

// Put keeps a value that was made when purges had been made, as Ledger.Count tells it. It may
// be found a moment later only: Wait waits for that.
func (c *Cache[V]) Put(key string, k Kept[V], purges uint64) { c.put(key, &k, purges) }

// Resize tells that the value of a key takes size bytes by now. A value that is not there, or
// another by now, is as well.
func (c *Cache[V]) Resize(key string, size int) {
	e := c.find(key)
	if e == nil {
		return
	}
	if left := e.kept.Made.Add(e.kept.MaxAge + e.kept.Stale).Sub(c.o.Now()); left > 0 {
		c.entries.SetWithTTL(key, e, int64(size+len(key)+perEntry), left)
	}
}

// Wait waits until what was put can be found.
func (c *Cache[V]) Wait() { c.entries.Wait() }

// put stores a value that is fresh and not purged.
func (c *Cache[V]) put(key string, k *Kept[V], purges uint64) bool {
	now := c.o.Now()
	if k.Failing || k.MaxAge <= 0 || now.Sub(k.Made) >= k.MaxAge || c.o.Ledger.Gone(k.Tags, purges) {
		return false
	}
	e := &entry[V]{key: key, kept: *k}
	e.purges.Store(purges)
	life := k.Made.Add(k.MaxAge + k.Stale).Sub(now)
	return c.entries.SetWithTTL(key, e, int64(k.Size+len(key)+perEntry), life)
}
