package loadshed

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func small() *Limiter {
	return New(Options{
		MaxConcurrent: 4, MaxMiddle: 3, MaxLow: 2, Queue: 3, Wait: 500 * time.Millisecond, WaitLow: 2 * time.Second,
	})
}

// enter acquires and returns the release function.
func enter(t *testing.T, l *Limiter, p Priority) (release func()) {
	t.Helper()
	release, err := l.Acquire(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// later acquires and releases in another goroutine and returns its error.
func later(ctx context.Context, l *Limiter, p Priority) chan error {
	done := make(chan error, 1)
	go func() {
		release, err := l.Acquire(ctx, p)
		done <- err
		if err == nil {
			release()
		}
	}()
	synctest.Wait()
	return done
}

// Up to MaxConcurrent run at once; the next ones wait until others release.
func TestConcurrencyLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		var release [4]func()
		for i := range release {
			release[i] = enter(t, l, PriorityNormal)
		}
		var waiting [3]chan error
		for i := range waiting {
			waiting[i] = later(t.Context(), l, PriorityNormal)
		}
		if _, err := l.Acquire(t.Context(), PriorityNormal); !errors.Is(err, ErrOverloaded) {
			t.Errorf("with a full queue: %v", err)
		}
		if s := l.Stats(); s.Running != 4 || s.Waiting != 3 || s.Rejected != 1 {
			t.Errorf("%+v", s)
		}
		release[0]()
		for _, done := range waiting {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// Waiting ends after Options.Wait, or when the context ends.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		for range 4 {
			defer enter(t, l, PriorityNormal)()
		}
		begun := time.Now()
		_, err := l.Acquire(t.Context(), PriorityNormal)
		if !errors.Is(err, ErrOverloaded) || time.Since(begun) != 500*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		begun = time.Now()
		_, err = l.Acquire(t.Context(), PriorityLow)
		if !errors.Is(err, ErrOverloaded) || time.Since(begun) != 2*time.Second {
			t.Errorf("low priority: %v after %s", err, time.Since(begun))
		}
		ctx, cancel := context.WithCancel(t.Context())
		waiting := later(ctx, l, PriorityNormal)
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if s := l.Stats(); s.Waiting != 0 || s.Rejected != 2 {
			t.Errorf("%+v", s)
		}
	})
}

// While others have waited for longer than Wait without a break, work waits only WaitFull; once the queue was empty, a
// burst waits for Wait again.
func TestWaitInAFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Options{
			MaxConcurrent: 2, MaxMiddle: 1, MaxLow: 1, Queue: 100, Wait: 300 * time.Millisecond, WaitFull: 20 * time.Millisecond,
		})
		rejectedAfter := func() time.Duration {
			begun := time.Now()
			if _, err := l.Acquire(t.Context(), PriorityNormal); !errors.Is(err, ErrOverloaded) {
				t.Fatalf("got %v", err)
			}
			return time.Since(begun)
		}
		first, second := enter(t, l, PriorityNormal), enter(t, l, PriorityNormal)
		early := later(t.Context(), l, PriorityNormal)
		time.Sleep(299 * time.Millisecond)
		late := later(t.Context(), l, PriorityNormal)
		time.Sleep(2 * time.Millisecond)
		if err := <-early; !errors.Is(err, ErrOverloaded) {
			t.Errorf("got %v", err)
		}
		if d := rejectedAfter(); d != 20*time.Millisecond {
			t.Errorf("rejected after %s in a queue that did not empty", d)
		}
		another := later(t.Context(), l, PriorityNormal)
		if d := rejectedAfter(); d != 0 {
			t.Errorf("rejected after %s although as many wait as may run", d)
		}
		if err := <-another; !errors.Is(err, ErrOverloaded) {
			t.Errorf("got %v", err)
		}
		first()
		if err := <-late; err != nil {
			t.Error(err)
		}
		first = enter(t, l, PriorityNormal)
		if d := rejectedAfter(); d != 300*time.Millisecond {
			t.Errorf("rejected after %s although the queue was empty", d)
		}
		first()
		second()
	})
}

// Low priority runs on at most MaxLow and waits while normal priority waits.
func TestLowPriorityComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		a, b := enter(t, l, PriorityLow), enter(t, l, PriorityLow)
		defer b()
		low := later(t.Context(), l, PriorityLow)
		c, d := enter(t, l, PriorityNormal), enter(t, l, PriorityNormal)
		defer c()
		normal := later(t.Context(), l, PriorityNormal)
		select {
		case err := <-low:
			t.Fatalf("a third of low priority was not held back: %v", err)
		default:
		}
		a()
		if err := <-normal; err != nil {
			t.Error(err)
		}
		synctest.Wait() // it released at once, so the other can run
		if err := <-low; err != nil {
			t.Error(err)
		}
		d()
	})
}

// Lists leave room for lookups, and come before what is expensive.
func TestMiddlePriority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		a, b, c := enter(t, l, PriorityMiddle), enter(t, l, PriorityMiddle), enter(t, l, PriorityMiddle)
		low := later(t.Context(), l, PriorityLow)
		middle := later(t.Context(), l, PriorityMiddle)
		enter(t, l, PriorityNormal)()
		select {
		case err := <-middle:
			t.Fatal("a list took the place of lookups", err)
		default:
		}
		a()
		if err := <-middle; err != nil {
			t.Error(err)
		}
		if err := <-low; err != nil {
			t.Error(err)
		}
		b()
		c()
	})
}

// However many acquire, release and give up, MaxConcurrent is respected and everything is released.
func TestNothingLeaks(t *testing.T) {
	l := New(Options{
		MaxConcurrent: 8, MaxMiddle: 6, MaxLow: 4, Queue: 16, Wait: time.Millisecond, WaitLow: time.Millisecond,
	})
	var all sync.WaitGroup
	var normal, low, most, running atomic.Int64
	for i := range 64 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 300 {
				p, counted := Priority(r.IntN(2)), &normal
				if r.IntN(2) == 0 {
					p, counted = PriorityLow, &low
				}
				ctx, cancel := context.WithCancel(context.Background())
				if r.IntN(4) == 0 {
					cancel()
				}
				release, err := l.Acquire(ctx, p)
				if err == nil {
					counted.Add(1)
					n := running.Add(1)
					for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
					}
					if p == PriorityLow && r.IntN(8) == 0 {
						<-time.After(time.Duration(r.IntN(1000)) * time.Microsecond)
					}
					running.Add(-1)
					release()
				}
				cancel()
			}
		})
	}
	all.Wait()
	if most.Load() > 8 || normal.Load() == 0 || low.Load() == 0 {
		t.Errorf("%d at once; %d normal, %d low", most.Load(), normal.Load(), low.Load())
	}
	if s := l.Stats(); s.Running != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
}
