package cache

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A thousand callers of a key that is not there make it once.
func TestOneFlight(t *testing.T) {
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

// A caller who leaves stops neither the flight nor those who wait for it; the flight knows
// what his context carried, but not that he left.
func TestLeavingCaller(t *testing.T) {
	c, at := open(t, Options{})
	type name struct{}
	ctx, leave := context.WithCancel(context.WithValue(context.Background(), name{}, "moss"))
	started, release := make(chan struct{}), make(chan struct{})
	make := func(ctx context.Context) Entry[string] {
		close(started)
		<-release
		if ctx.Err() != nil || ctx.Value(name{}) != "moss" {
			t.Error(ctx.Err(), ctx.Value(name{}))
		}
		return Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute}
	}
	left := c.asking(ctx, make)
	<-started
	stays := c.asking(context.Background(), make)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	if err := <-stays; err != nil {
		t.Error(err)
	}
	if k := c.Get("key"); k == nil || k.Value != "one" {
		t.Error("the value is not kept", k)
	}
}

// asking asks for the value of "key" by itself.
func (c *Cache[V]) asking(ctx context.Context, run func(context.Context) Entry[V]) chan error {
	done := make(chan error, 1)
	go func() {
		_, _, err := c.GetOrLoad(ctx, "key", run)
		done <- err
	}()
	return done
}

// A panic ends its flight and nothing else: the next caller starts another.
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

// A flight ends by itself, whoever waits for it.
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

// Close waits for flights and lets no more begin.
func TestClose(t *testing.T) {
	c, _ := open(t, Options{})
	started, release := make(chan struct{}), make(chan struct{})
	flight := c.asking(context.Background(), func(context.Context) Entry[string] {
		close(started)
		<-release
		return Entry[string]{}
	})
	<-started
	closed := make(chan struct{})
	go func() { c.Close(); close(closed) }()
	select {
	case <-closed:
		t.Error("closed while a flight was under way")
	case <-time.After(10 * time.Millisecond):
	}
	close(release)
	<-closed
	if err := <-flight; err != nil {
		t.Error(err)
	}
	if _, _, err := c.GetOrLoad(context.Background(), "other", always(Entry[string]{})); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if c.Get("key") != nil {
		t.Error("a closed cache has values")
	}
}
