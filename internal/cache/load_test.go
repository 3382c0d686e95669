package cache

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A thousand callers of a missing key share one load.
func TestOneLoad(t *testing.T) {
	c, at := open(t, Options{})
	var made atomic.Int64
	started, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			k, _, err := c.GetOrLoad(context.Background(), "key", func(context.Context) Entry[string] {
				if made.Add(1) == 1 {
					close(started)
				}
				<-release
				return Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute}
			})
			if err != nil || k.Value != "one" {
				t.Error(k, err)
			}
		})
	}
	<-started
	close(release)
	all.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
}

// A caller who disconnects stops neither the load nor the other callers. The load has the values of
// the context, not its end.
func TestDisconnectedCaller(t *testing.T) {
	c, at := open(t, Options{})
	type name struct{}
	ctx, leave := context.WithCancel(context.WithValue(context.Background(), name{}, "moss"))
	started, release := make(chan struct{}), make(chan struct{})
	load := func(ctx context.Context) Entry[string] {
		close(started)
		<-release
		if ctx.Err() != nil || ctx.Value(name{}) != "moss" {
			t.Error(ctx.Err(), ctx.Value(name{}))
		}
		return Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute}
	}
	left := c.loadAsync(ctx, load)
	<-started
	stays := c.loadAsync(context.Background(), load)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	if err := <-stays; err != nil {
		t.Error(err)
	}
	if k := c.Get("key"); k == nil || k.Value != "one" {
		t.Error("the value is not cached:", k)
	}
}

// loadAsync calls GetOrLoad for "key" in another goroutine and returns its error.
func (c *Cache[V]) loadAsync(ctx context.Context, run func(context.Context) Entry[V]) chan error {
	done := make(chan error, 1)
	go func() {
		_, _, err := c.GetOrLoad(ctx, "key", run)
		done <- err
	}()
	return done
}

// A panic ends its load and nothing else: the next caller starts another.
func TestPanic(t *testing.T) {
	c, at := open(t, Options{})
	_, _, err := c.GetOrLoad(t.Context(), "key", func(context.Context) Entry[string] { panic("moss") })
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "moss" || len(p.Stack) == 0 || p.Error() != "panic: moss" {
		t.Errorf("%#v", err)
	}
	if got := value(t, c, "key", always(Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute})); got != "one" {
		t.Error(got)
	}
}

// A load ends after the timeout.
func TestDeadline(t *testing.T) {
	c, _ := open(t, Options{Timeout: time.Millisecond})
	k, _, err := c.GetOrLoad(t.Context(), "key", func(ctx context.Context) Entry[string] {
		<-ctx.Done()
		return Entry[string]{Value: ctx.Err().Error(), Failing: true}
	})
	if err != nil || k.Value != context.DeadlineExceeded.Error() {
		t.Error(k, err)
	}
}

// Close waits for loads and lets no more begin.
func TestClose(t *testing.T) {
	c, _ := open(t, Options{})
	started, release := make(chan struct{}), make(chan struct{})
	loading := c.loadAsync(context.Background(), func(context.Context) Entry[string] {
		close(started)
		<-release
		return Entry[string]{}
	})
	<-started
	closed := make(chan struct{})
	go func() { c.Close(); close(closed) }()
	select {
	case <-closed:
		t.Error("closed during a load")
	case <-time.After(10 * time.Millisecond):
	}
	close(release)
	<-closed
	if err := <-loading; err != nil {
		t.Error(err)
	}
	if _, _, err := c.GetOrLoad(context.Background(), "other", always(Entry[string]{})); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if c.Get("key") != nil {
		t.Error("a closed cache has values")
	}
}
