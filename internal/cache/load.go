package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
)

// ErrClosed is returned by a closed cache.
var ErrClosed = errors.New("the cache is closed")

// PanicError is a panic in a load function; only that load fails.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// result is shared by all callers who waited for one load.
type result[V any] struct {
	entry *Entry[V]
	hit   bool
}

// GetOrLoad loads the value of a key and caches it; callers who request the key during the load share one call of load.
// hit says that the value was already cached; it is stale if loading failed.
//
// load runs with the values of ctx but the timeout of Options: if ctx ends, the caller gets its error and the load
// continues. Other errors are *PanicError and ErrClosed.
func (c *Cache[V]) GetOrLoad(ctx context.Context, key string, load func(context.Context) Entry[V]) (
	e *Entry[V], hit bool, err error,
) {
	// A request after a purge does not join a load that began before it.
	generation := c.o.Invalidations.Generation()
	flight := strconv.FormatUint(generation, 10) + " " + key
	done := c.flights.DoChan(flight, func() (any, error) { return c.load(ctx, key, generation, load) })
	select {
	case r := <-done:
		shared, _ := r.Val.(result[V])
		return shared.entry, shared.hit, r.Err
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

func (c *Cache[V]) load(ctx context.Context, key string, generation uint64, load func(context.Context) Entry[V]) (
	r result[V], err error,
) {
	if !c.begin() {
		return r, ErrClosed
	}
	defer c.loading.Done()
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	// Another load of the key may have ended since the caller looked.
	if e := c.Get(key); e != nil {
		return result[V]{e, true}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Timeout)
	defer cancel()
	e := load(ctx)
	if e.Failing {
		if old := c.stale(key); old != nil {
			return result[V]{old, true}, nil
		}
	}
	if c.Put(key, e, generation) {
		// Without waiting, a request right after this load could start another one.
		c.entries.Wait()
	}
	return result[V]{&e, false}, nil
}

func (c *Cache[V]) begin() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.closed {
		c.loading.Add(1)
	}
	return !c.closed
}
