package loaders

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/mongo/conn"
)

// retryAfter is the pause after a failed read during which a stale value is returned immediately, so that callers do
// not queue up for an unresponsive store.
const retryAfter = time.Second

// Shared caches one value for all operations. It reads the value when an operation needs it and after it expires or is
// purged. Concurrent callers share one read, which continues if they leave.
type Shared[T any] struct {
	// Name is the value's name in messages.
	Name string
	// Tags name the purges that remove the value. A purge of everything always does.
	Tags []string
	// MaxAge is the age from which the value is read again, MaxStale the age up to which it is served while reads fail.
	MaxAge, MaxStale time.Duration
	// Read reads the value.
	Read func(context.Context) (T, error)

	source *Source
	reads  singleflight.Group

	mu     sync.RWMutex
	last   *timedValue[T]
	failed time.Time // when the last read failed; zero if it succeeded
}

// timedValue is a value and the time when its read began.
type timedValue[T any] struct {
	value      T
	at         time.Time
	generation uint64 // of the purges at that time
}

// Load returns the value for the operation of a context. The value must not be changed.
func (s *Shared[T]) Load(ctx context.Context) (T, error) {
	for _, tag := range s.Tags {
		kind, name, _ := strings.Cut(tag, ":")
		From(ctx).log.addTag(kind, name)
	}
	return s.get(ctx)
}

// get returns the value. It does not count as a read of the operation.
func (s *Shared[T]) get(ctx context.Context) (value T, err error) {
	current, err := s.current(ctx, s.MaxAge)
	if err == nil {
		value = current.value
	}
	return value, err
}

// current returns a value no older than maxAge, or the last one read if reading fails.
func (s *Shared[T]) current(ctx context.Context, maxAge time.Duration) (value *timedValue[T], err error) {
	for range 2 { // an earlier caller may have begun the first read before a purge
		if cached, fresh := s.cached(maxAge); fresh {
			return cached, nil
		}
		value, err = s.wait(ctx, s.refresh(ctx, maxAge))
		if stale, _ := s.cached(maxAge); err != nil && stale != nil {
			return stale, nil
		}
		if err != nil || !s.source.o.Purges.InvalidatedSince(s.Tags, value.generation) {
			break
		}
	}
	return value, err
}

// cached returns the value, or nil if it is missing, purged or too old to serve. fresh reports that no read is due: the
// value is no older than maxAge, or a read has just failed.
func (s *Shared[T]) cached(maxAge time.Duration) (value *timedValue[T], fresh bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	now := s.source.o.Now()
	if s.last == nil || now.Sub(s.last.at) > s.MaxStale ||
		s.source.o.Purges.InvalidatedSince(s.Tags, s.last.generation) {
		return nil, false
	}
	paused := !s.failed.IsZero() && now.Sub(s.failed) < retryAfter
	return s.last, paused || now.Sub(s.last.at) <= maxAge
}

// refresh reads a value older than maxAge, or joins the running read.
func (s *Shared[T]) refresh(ctx context.Context, maxAge time.Duration) <-chan singleflight.Result {
	return s.reads.DoChan("", func() (any, error) {
		if value, fresh := s.cached(maxAge); fresh { // another read has ended meanwhile
			return value, nil
		}
		return s.read(ctx)
	})
}

// wait waits for a read until the context ends.
func (s *Shared[T]) wait(ctx context.Context, read <-chan singleflight.Result) (*timedValue[T], error) {
	select {
	case r := <-read:
		value, _ := r.Val.(*timedValue[T])
		return value, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the %s: %w", s.Name, ctx.Err())
	}
}

// read reads the value and stores it, or records the failure.
func (s *Shared[T]) read(ctx context.Context) (*timedValue[T], error) {
	begun, generation := s.source.o.Now(), s.source.o.Purges.Generation()
	value, err := recovering(func() (T, error) { return s.Read(conn.WithoutCallLimit(context.WithoutCancel(ctx))) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if s.last != nil && s.source.o.Now().Sub(s.last.at) <= s.MaxStale && s.failed.IsZero() {
			s.source.o.Log.Warn("refreshing failed, serving stale value", "value", s.Name, "read", s.last.at, "error", err)
		}
		s.failed = s.source.o.Now()
		return nil, err
	}
	s.last, s.failed = &timedValue[T]{value, begun, generation}, time.Time{}
	return s.last, nil
}

// replace replaces a value, unless another read has replaced it already, and returns the current value.
func (s *Shared[T]) replace(old, value *timedValue[T]) *timedValue[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == old {
		s.last = value
	}
	return s.last
}

// recovering turns a panic of a read into an error, since its caller may be a goroutine that nobody recovers.
func recovering[T any](read func() (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return read()
}
