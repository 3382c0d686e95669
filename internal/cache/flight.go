package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
)

// ErrClosed says that the cache makes nothing any more.
var ErrClosed = errors.New("the cache is closed")

// PanicError is a panic of a function that makes a value: it ends that flight and nothing else.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// flown is what all who waited for a flight get.
type flown[V any] struct {
	kept *Kept[V]
	hit  bool
}

// Make makes the value of a key and keeps it. All who ask for the key meanwhile get the same:
// one flight. hit says that the value was there already, older than it should be when the
// store fails.
//
// The flight runs in a context of its own, with what ctx carries and the deadline of Options:
// a caller who leaves gets the error of ctx and stops nobody. The other errors are a
// *PanicError and ErrClosed.
func (c *Cache[V]) Make(ctx context.Context, key string, make func(context.Context) Kept[V]) (k *Kept[V], hit bool,
	err error,
) {
	// Who asks after a purge does not join a flight that began before.
	purges := c.o.Ledger.Count()
	flight := strconv.FormatUint(purges, 10) + " " + key
	landed := c.flights.DoChan(flight, func() (any, error) { return c.fly(ctx, key, purges, make) })
	select {
	case r := <-landed:
		f, _ := r.Val.(flown[V])
		return f.kept, f.hit, r.Err
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

func (c *Cache[V]) fly(ctx context.Context, key string, purges uint64, make func(context.Context) Kept[V]) (f flown[V],
	err error,
) {
	if !c.begin() {
		return f, ErrClosed
	}
	defer c.flying.Done()
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	// A flight of the key may have landed since the caller looked.
	if k := c.Get(key); k != nil {
		return flown[V]{k, true}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Timeout)
	defer cancel()
	k := make(ctx)
	if k.Failing {
		if old := c.stale(key); old != nil {
			return flown[V]{old, true}, nil
		}
	}
	if c.put(key, &k, purges) {
		// Who asks right after a flight has landed does not start another.
		c.entries.Wait()
	}
	return flown[V]{&k, false}, nil
}

func (c *Cache[V]) begin() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.closed {
		c.flying.Add(1)
	}
	return !c.closed
}
