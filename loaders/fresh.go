package loaders

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// retryAfter is how long a read that failed is not tried again while an older value is at
// hand, so that callers do not all wait for a store that does not answer.
const retryAfter = time.Second

// fresh is a value that the process keeps and reads again when it is older than it may be.
// When it cannot be read, the older value is answered for as long as that lasts.
type fresh[T any] struct {
	// name says in the log what could not be read.
	name string
	// maxAge is how old the value may be.
	maxAge time.Duration
	read   func(context.Context) (T, error)
	now    func() time.Time
	log    *slog.Logger

	mu     sync.RWMutex
	kept   *reading[T]
	failed time.Time // when the last read failed; zero when it did not
	flight singleflight.Group
}

// reading is a value and the moment its reading began.
type reading[T any] struct {
	value T
	at    time.Time
}

// current returns a value that is no older than it may be, or the last one that could be
// read. It fails when none ever could.
func (f *fresh[T]) current(ctx context.Context) (*reading[T], error) {
	if r := f.usable(); r != nil {
		return r, nil
	}
	got, err, _ := f.flight.Do("", func() (any, error) {
		if r := f.usable(); r != nil {
			return r, nil
		}
		// Others wait for this read, so the one who asked may leave without ending it.
		return f.again(context.WithoutCancel(ctx))
	})
	r, _ := got.(*reading[T])
	return r, err
}

// usable is the value kept, when it need not or must not be read again now.
func (f *fresh[T]) usable() *reading[T] {
	f.mu.RLock()
	defer f.mu.RUnlock()
	now := f.now()
	if f.kept == nil || now.Sub(f.kept.at) > f.maxAge && (f.failed.IsZero() || now.Sub(f.failed) >= retryAfter) {
		return nil
	}
	return f.kept
}

func (f *fresh[T]) again(ctx context.Context) (*reading[T], error) {
	begun := f.now()
	value, err := f.read(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.kept, f.failed = &reading[T]{value, begun}, time.Time{}
	case f.kept == nil:
		return nil, err
	default:
		f.failed = f.now()
		f.log.Warn("an older copy is served", "of", f.name, "read", f.kept.at, "error", err)
	}
	return f.kept, nil
}
