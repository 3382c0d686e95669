package loaders

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// loadShared returns the cached value if there is a usable one. Otherwise concurrent callers share one
// load, which a caller that leaves does not cancel.
func loadShared[T any](ctx context.Context, flight *singleflight.Group, cached func() (T, bool),
	load func(context.Context) (T, error),
) (T, error) {
	if v, ok := cached(); ok {
		return v, nil
	}
	got, err, _ := flight.Do("", func() (any, error) {
		if v, ok := cached(); ok {
			return v, nil
		}
		return load(context.WithoutCancel(ctx))
	})
	value, _ := got.(T)
	return value, err
}

// retryAfter is the pause after a failed read during which a stale value is returned immediately, so
// that callers do not all wait for a store that does not respond.
const retryAfter = time.Second

// maxStale is the greatest age of a stale value that is returned while reading fails.
const maxStale = 5 * time.Minute

// refreshingValue caches a value of the process and reads it again when it has expired. If reading
// fails, it returns the stale value, up to maxStale.
type refreshingValue[T any] struct {
	name   string // in log messages
	maxAge time.Duration
	read   func(context.Context) (T, error)
	now    func() time.Time
	log    *slog.Logger

	mu     sync.RWMutex
	value  *timedValue[T]
	failed time.Time // when the last read failed; zero if it did not
	flight singleflight.Group
}

// timedValue is a value and the time when its read began.
type timedValue[T any] struct {
	value T
	at    time.Time
}

// current returns a value that has not expired, or the last one that could be read. It fails if none could in the last
// minutes.
func (r *refreshingValue[T]) current(ctx context.Context) (*timedValue[T], error) {
	return loadShared(ctx, &r.flight, r.usable, r.refresh)
}

// usable returns the cached value unless it should be read again now.
func (r *refreshingValue[T]) usable() (*timedValue[T], bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.value == nil {
		return nil, false
	}
	now := r.now()
	age := now.Sub(r.value.at)
	paused := !r.failed.IsZero() && now.Sub(r.failed) < retryAfter && age <= maxStale
	return r.value, paused || age <= r.maxAge
}

func (r *refreshingValue[T]) refresh(ctx context.Context) (*timedValue[T], error) {
	begun := r.now()
	value, err := r.read(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.value, r.failed = &timedValue[T]{value, begun}, time.Time{}
	case r.value == nil, r.now().Sub(r.value.at) > maxStale:
		return nil, err
	default:
		r.failed = r.now()
		r.log.Warn("refreshing failed, serving stale value", "value", r.name, "read", r.value.at, "error", err)
	}
	return r.value, nil
}
