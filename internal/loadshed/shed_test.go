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

func small() *Gate { return New(Options{Places: 4, Queue: 3, Wait: 500 * time.Millisecond}) }

// enter works until the function it returns is called.
func enter(t *testing.T, g *Gate, class Class) (leave func()) {
	t.Helper()
	leave, err := g.Enter(t.Context(), class)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

// later enters by itself and tells with what error.
func later(ctx context.Context, g *Gate, class Class) chan error {
	done := make(chan error, 1)
	go func() {
		leave, err := g.Enter(ctx, class)
		done <- err
		if err == nil {
			leave()
		}
	}()
	synctest.Wait()
	return done
}

// So many work at once; the next ones wait and get the places of those who leave.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := small()
		var leave [4]func()
		for i := range leave {
			leave[i] = enter(t, g, Light)
		}
		first, second, third := later(t.Context(), g, Light), later(t.Context(), g, Light), later(t.Context(), g, Light)
		if _, err := g.Enter(t.Context(), Light); !errors.Is(err, ErrBusy) {
			t.Errorf("with a full queue: %v", err)
		}
		if s := g.State(); s.Working != 4 || s.Waiting != 3 || s.TurnedAway.Light != 1 {
			t.Errorf("%+v", s)
		}
		leave[0]()
		for _, done := range []chan error{first, second, third} {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// Nobody waits for long.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := small()
		for range 4 {
			defer enter(t, g, Light)()
		}
		begun := time.Now()
		if _, err := g.Enter(t.Context(), Light); !errors.Is(err, ErrBusy) || time.Since(begun) != 500*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := later(ctx, g, Light)
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if s := g.State(); s.Waiting != 0 || s.TurnedAway.Light != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// What asks for much never takes the places of what asks for little, and waits behind it.
func TestHeavyComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := small()
		a, b := enter(t, g, Heavy), enter(t, g, Heavy)
		defer b()
		heavy := later(t.Context(), g, Heavy)
		c, d := enter(t, g, Light), enter(t, g, Light)
		defer c()
		light := later(t.Context(), g, Light)
		select {
		case <-heavy:
			t.Fatal("a third got in")
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
	g := New(Options{Places: 8, Queue: 16, Wait: time.Millisecond})
	var all sync.WaitGroup
	var light, heavy, most, in atomic.Int64
	for i := range 64 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 300 {
				class, counted := Light, &light
				if r.IntN(2) == 0 {
					class, counted = Heavy, &heavy
				}
				ctx, cancel := context.WithCancel(context.Background())
				if r.IntN(4) == 0 {
					cancel()
				}
				leave, err := g.Enter(ctx, class)
				if err == nil {
					counted.Add(1)
					n := in.Add(1)
					for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
					}
					if class == Heavy && r.IntN(8) == 0 {
						<-time.After(time.Duration(r.IntN(1000)) * time.Microsecond)
					}
					in.Add(-1)
					leave()
				}
				cancel()
			}
		})
	}
	all.Wait()
	if most.Load() > 8 || light.Load() == 0 || heavy.Load() == 0 {
		t.Errorf("%d at once; %d light, %d heavy", most.Load(), light.Load(), heavy.Load())
	}
	if s := g.State(); s.Working != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
}
