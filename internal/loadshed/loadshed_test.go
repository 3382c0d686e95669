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

func small() *Limiter { return New(Options{MaxConcurrent: 4, Queue: 3, Wait: 500 * time.Millisecond}) }

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
		if s := l.Stats(); s.Running != 4 || s.Waiting != 3 || s.Rejected.Normal != 1 {
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

// Nobody waits for long.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		for range 4 {
			defer enter(t, l, PriorityNormal)()
		}
		begun := time.Now()
		if _, err := l.Acquire(t.Context(), PriorityNormal); !errors.Is(err, ErrOverloaded) || time.Since(begun) != 500*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := later(ctx, l, PriorityNormal)
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if s := l.Stats(); s.Waiting != 0 || s.Rejected.Normal != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// What asks for much never takes the places of what asks for little, and waits behind it.
func TestHeavyComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := small()
		a, b := enter(t, l, PriorityLow), enter(t, l, PriorityLow)
		defer b()
		heavy := later(t.Context(), l, PriorityLow)
		c, d := enter(t, l, PriorityNormal), enter(t, l, PriorityNormal)
		defer c()
		light := later(t.Context(), l, PriorityNormal)
		select {
		case err := <-heavy:
			t.Fatalf("a third got in: %v", err)
		default:
		}
		a()
		if err := <-light; err != nil {
			t.Error(err)
		}
		synctest.Wait() // it left at once, and there was room for the other
		if err := <-heavy; err != nil {
			t.Error(err)
		}
		d()
	})
}

// However many come, go and give up, no more work than may, and all places come back.
func TestNoPlaceIsLost(t *testing.T) {
	l := New(Options{MaxConcurrent: 8, Queue: 16, Wait: time.Millisecond})
	var all sync.WaitGroup
	var light, heavy, most, in atomic.Int64
	for i := range 64 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 300 {
				p, counted := PriorityNormal, &light
				if r.IntN(2) == 0 {
					p, counted = PriorityLow, &heavy
				}
				ctx, cancel := context.WithCancel(context.Background())
				if r.IntN(4) == 0 {
					cancel()
				}
				release, err := l.Acquire(ctx, p)
				if err == nil {
					counted.Add(1)
					n := in.Add(1)
					for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
					}
					if p == PriorityLow && r.IntN(8) == 0 {
						<-time.After(time.Duration(r.IntN(1000)) * time.Microsecond)
					}
					in.Add(-1)
					release()
				}
				cancel()
			}
		})
	}
	all.Wait()
	if most.Load() > 8 || light.Load() == 0 || heavy.Load() == 0 {
		t.Errorf("%d at once; %d light, %d heavy", most.Load(), light.Load(), heavy.Load())
	}
	if s := l.Stats(); s.Running != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
}
