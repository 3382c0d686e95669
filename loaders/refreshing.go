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

// loadShared returns the cached value if there is a usable one. Otherwise concurrent callers share one load, which a
// caller that leaves does not cancel.
func loadShared[T any](ctx context.Context, flight *singleflight.Group, cached func() (T, bool),
	load func(context.Context) (T, error),
) (value T, err error) {
	for range 2 { // a load that another caller began may be older than a purge: then the value is loaded again
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

// refreshingValue caches a value of the process and reads it again when it has expired or was purged. If reading
// fails, it returns the stale value, as long as that may be served.
type refreshingValue[T any] struct {
	lastValue[T]
	maxAge time.Duration
	load   func(context.Context) (T, error)
	flight singleflight.Group
}

// current returns a value that has not expired, or the last one that could be read. It fails if none could in the last
// minutes.
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

// retryAfter is the pause after a failed read during which a stale value is returned immediately, so
// that callers do not all wait for a store that does not respond.
const retryAfter = time.Second

// lastValue is the last value that could be read of something that the process reads again and again. While reads
// fail, it is served up to an age of maxStale. A purge of everything or of one of its tags removes it.
type lastValue[T any] struct {
	name     string // in log messages
	maxStale time.Duration
	tags     []string
	shared

	mu     sync.RWMutex
	value  *timedValue[T]
	failed time.Time // when the last read failed; zero if it did not
}

// shared is what all values that the process caches need. Without the purges none can be cached.
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

// get returns the value; nil if there is none, it was purged or it is too old to be served. fresh reports whether it is
// not to be read again now: it is not older than maxAge, or a read has just failed.
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

// read reads the value and stores it, or that it could not be read.
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

// replace replaces a value, unless another one was read since, and returns the current value.
func (l *lastValue[T]) replace(old, value *timedValue[T]) *timedValue[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.value == old {
		l.value = value
	}
	return l.value
}
