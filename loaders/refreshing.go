package loaders

import (
	"context"
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

// refreshingValue caches a value of the process and reads it again when it has expired. If reading
// fails, it returns the stale value, as long as that may be served.
type refreshingValue[T any] struct {
	maxAge time.Duration
	read   func(context.Context) (T, error)
	last   lastValue[T]
	flight singleflight.Group
}

// current returns a value that has not expired, or the last one that could be read. It fails if none could in the last
// minutes.
func (r *refreshingValue[T]) current(ctx context.Context) (*timedValue[T], error) {
	return loadShared(ctx, &r.flight, func() (*timedValue[T], bool) { return r.last.get(r.maxAge) }, r.refresh)
}

func (r *refreshingValue[T]) refresh(ctx context.Context) (*timedValue[T], error) {
	value, err := r.last.read(func() (T, error) { return r.read(ctx) })
	if err != nil {
		if stale, _ := r.last.get(r.maxAge); stale != nil {
			return stale, nil
		}
	}
	return value, err
}
