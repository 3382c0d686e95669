package loaders

import (
	"time"

	"gamedata/internal/cache"
)

// How long records are cached. An operation may use records as old as its response may be, so records live as long as
// responses with players, characters and guilds. A missing record is cached as long as a 404.
const (
	recordAge  = 2 * time.Minute
	missingAge = 10 * time.Second
)

// Records caches records for all operations as they are stored, before access rules. Cached records are shared and must
// not be changed. A cache key joins the kind of a record and the key that found it.
type Records struct {
	cache         *cache.Cache[cachedValue]
	invalidations *cache.Invalidations
}

// cachedValue holds a record or the uuids of an index entry, and the API for which it was read.
type cachedValue struct {
	value  any
	source string
}

// NewRecords returns a record cache of at most maxBytes. The invalidations remove entries. The clock is the clock of
// the Source that uses the cache; time.Now when nil.
func NewRecords(maxBytes int64, now func() time.Time, invalidations *cache.Invalidations) (*Records, error) {
	c, err := cache.New[cachedValue](cache.Options{MaxBytes: maxBytes, Now: now, Invalidations: invalidations})
	if err != nil {
		return nil, err
	}
	return &Records{c, invalidations}, nil
}

// Close releases the cache. It must not be used afterwards.
func (r *Records) Close() { r.cache.Close() }

// Stats returns the cache's counters.
func (r *Records) Stats() cache.Stats { return r.cache.Stats() }

// cacheFill caches the records from one read of the store.
type cacheFill struct {
	records    *Records // nil if records are not cached
	source     string
	begun      time.Time // when the read began
	generation uint64    // of the invalidations then
}

func (f *cacheFill) put(key string, value any, size int, maxAge time.Duration, tags ...string) {
	if f.records != nil {
		f.records.cache.Put(key, cache.Entry[cachedValue]{
			Value: cachedValue{value, f.source}, Made: f.begun, MaxAge: maxAge, Size: size, Tags: tags,
		}, f.generation)
	}
}
