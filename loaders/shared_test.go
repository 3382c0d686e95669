package loaders

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/mongo"
)

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// Each step reads the value once, some time after the step before it.
func TestShared(t *testing.T) {
	const maxStale = 5 * time.Minute
	broken := errors.New("broken")
	c := &clock{now: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)}
	begun := c.now
	var log strings.Builder
	reads, failing := 0, true
	f := Shared[int]{
		Name: "things", MaxAge: 10 * time.Second, MaxStale: maxStale,
		source: New(new(mongo.Store), Options{Now: c.Now, Log: slog.New(slog.NewTextHandler(&log, nil))}),
		Read: func(context.Context) (int, error) {
			reads++
			if failing {
				return 0, broken
			}
			return reads, nil
		},
	}
	for _, step := range []struct {
		name    string
		after   time.Duration
		failing bool
		value   int // 0: an error
		at      time.Duration
		reads   int
	}{
		{"never read, read fails", 0, true, 0, 0, 1},
		{"fails again", 0, true, 0, 0, 2},
		{"first read", time.Second, false, 3, time.Second, 3},
		{"not expired", 10 * time.Second, false, 3, time.Second, 3},
		{"expired", time.Millisecond, false, 4, 11*time.Second + time.Millisecond, 4},
		{"expired, read fails", 11 * time.Second, true, 4, 11*time.Second + time.Millisecond, 5},
		{"paused", retryAfter - time.Millisecond, false, 4, 11*time.Second + time.Millisecond, 5},
		{"tried again", time.Millisecond, false, 6, 22*time.Second + 1001*time.Millisecond, 6},
		{"as old as it may be", maxStale, true, 6, 22*time.Second + 1001*time.Millisecond, 7},
		{"too old, no longer paused", time.Millisecond, true, 0, 0, 8},
		{"still too old", time.Millisecond, true, 0, 0, 9},
		{"read again", time.Millisecond, false, 10, 22*time.Second + 1004*time.Millisecond + maxStale, 10},
	} {
		c.pass(step.after)
		failing = step.failing
		got, err := f.current(t.Context(), f.MaxAge)
		switch {
		case reads != step.reads:
			t.Errorf("%s: got %d reads, want %d", step.name, reads, step.reads)
		case step.value == 0:
			if !errors.Is(err, broken) {
				t.Errorf("%s: %v", step.name, err)
			}
		case err != nil || got.value != step.value || got.at.Sub(begun) != step.at:
			t.Errorf("%s: %+v (%v after the beginning), %v", step.name, got, got.at.Sub(begun), err)
		}
	}
	if n := strings.Count(log.String(), "serving stale value"); n != 2 || !strings.Contains(log.String(), "things") {
		t.Errorf("got %d warnings, want 2: %s", n, log.String())
	}
}

// Concurrent callers share one read; a caller that leaves does not cancel it.
func TestSharedIsReadOnce(t *testing.T) {
	c := &clock{now: time.Now()}
	begun, finish := make(chan struct{}), make(chan struct{})
	reads := 0
	f := Shared[int]{
		source: New(new(mongo.Store), Options{Now: c.Now}),
		MaxAge: time.Second,
		Read: func(ctx context.Context) (int, error) {
			reads++
			close(begun)
			<-finish
			return 7, ctx.Err()
		},
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := f.get(ctx)
		left <- err
	}()
	<-begun
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if got, err := f.get(t.Context()); err != nil || got != 7 {
				t.Errorf("got %v, %v, want 7", got, err)
			}
		})
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that leaves: got %v, want context.Canceled", err)
	}
	close(finish)
	group.Wait()
	if reads != 1 {
		t.Errorf("got %d reads, want 1", reads)
	}
}
