package loaders

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/internal/cache"
	"gamedata/mongo/conn"
)

// loadShared returns the cached value if it is usable. Otherwise concurrent callers share one load, which continues if
// a caller leaves.
func loadShared[T any](ctx context.Context, flight *singleflight.Group, cached func() (T, bool),
	load func(context.Context) (T, error),
) (value T, err error) {
	for range 2 { // another caller's load may be older than a purge: then load again
		if v, ok := cached(); ok {
			return v, nil
		}
		var got any
		got, err, _ = flight.Do("", func() (any, error) {
			if v, ok := cached(); ok {
				return v, nil
			}
			return load(conn.WithoutCallLimit(context.WithoutCancel(ctx)))
		})
		value, _ = got.(T)
		if err != nil {
			return value, err
		}
	}
	return value, nil
}

// refreshingValue caches one value for the process and rereads it after it expires or is purged. If reading fails, it
// returns the stale value for as long as staleness is allowed.
type refreshingValue[T any] struct {
	lastValue[T]
	maxAge time.Duration
	load   func(context.Context) (T, error)
	flight singleflight.Group
}

// current returns a fresh value, or the last one read if reading fails. It fails if no read has succeeded within
// maxStale.
func (r *refreshingValue[T]) current(ctx context.Context) (*timedValue[T], error) {
	return loadShared(ctx, &r.flight, func() (*timedValue[T], bool) { return r.get(r.maxAge) }, r.refresh)
}

func (r *refreshingValue[T]) refresh(ctx context.Context) (*timedValue[T], error) {
	value, err := r.read(func() (T, error) { return r.load(ctx) })
	if err != nil {
		if stale, _ := r.get(r.maxAge); stale != nil {
			return stale, nil
		}
	}
	return value, err
}

// retryAfter is the pause after a failed read during which a stale value is returned immediately, so that callers do
// not queue up for an unresponsive store.
const retryAfter = time.Second

// lastValue holds the result of the last successful read of a value that the process rereads regularly. While reads
// fail, it is served up to an age of maxStale. A purge of everything or of one of its tags removes it.
type lastValue[T any] struct {
	name     string // in log messages
	maxStale time.Duration
	tags     []string
	shared

	mu     sync.RWMutex
	value  *timedValue[T]
	failed time.Time // when the last read failed; zero if it succeeded
}

// shared holds what every value cached by the process needs. Caching requires the purges.
type shared struct {
	purges *cache.Invalidations
	now    func() time.Time
	log    *slog.Logger
}

// timedValue is a value and the time when its read began.
type timedValue[T any] struct {
	value      T
	at         time.Time
	generation uint64 // of the purges at that time
}

// get returns the value, or nil if it is missing, purged or too old to serve. fresh reports that no read is due: the
// value is no older than maxAge, or a read has just failed.
func (l *lastValue[T]) get(maxAge time.Duration) (value *timedValue[T], fresh bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	now := l.now()
	if l.value == nil || now.Sub(l.value.at) > l.maxStale || l.purges.InvalidatedSince(l.tags, l.value.generation) {
		return nil, false
	}
	paused := !l.failed.IsZero() && now.Sub(l.failed) < retryAfter
	return l.value, paused || now.Sub(l.value.at) <= maxAge
}

// read reads the value and stores it, or records the failure.
func (l *lastValue[T]) read(read func() (T, error)) (*timedValue[T], error) {
	begun, generation := l.now(), l.purges.Generation()
	value, err := read()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if l.value != nil && l.now().Sub(l.value.at) <= l.maxStale && l.failed.IsZero() {
			l.log.Warn("refreshing failed, serving stale value", "value", l.name, "read", l.value.at, "error", err)
		}
		l.failed = l.now()
		return nil, err
	}
	l.value, l.failed = &timedValue[T]{value, begun, generation}, time.Time{}
	return l.value, nil
}

// replace replaces a value, unless another read has replaced it already, and returns the current value.
func (l *lastValue[T]) replace(old, value *timedValue[T]) *timedValue[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.value == old {
		l.value = value
	}
	return l.value
}
