package loaders

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// Each step asks once, so long after the step before it.
func TestFresh(t *testing.T) {
	broken := errors.New("broken")
	c := &clock{now: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)}
	begun := c.now
	var log strings.Builder
	reads, failing := 0, true
	f := fresh[int]{
		name: "things", maxAge: 10 * time.Second, now: c.Now, log: slog.New(slog.NewTextHandler(&log, nil)),
		read: func(context.Context) (int, error) {
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
		value   int // 0: it fails
		at      time.Duration
		reads   int
	}{
		{"nothing was ever read", 0, true, 0, 0, 1},
		{"it fails again, asked again", 0, true, 0, 0, 2},
		{"the first that is read", time.Second, false, 3, time.Second, 3},
		{"as old as it may be", 10 * time.Second, false, 3, time.Second, 3},
		{"older", time.Millisecond, false, 4, 11*time.Second + time.Millisecond, 4},
		{"older, and it cannot be read", 11 * time.Second, true, 4, 11*time.Second + time.Millisecond, 5},
		{"not tried again yet", retryAfter - time.Millisecond, false, 4, 11*time.Second + time.Millisecond, 5},
		{"tried again", time.Millisecond, false, 6, 22*time.Second + 1001*time.Millisecond, 6},
	} {
		c.pass(step.after)
		failing = step.failing
		got, err := f.current(t.Context())
		switch {
		case reads != step.reads:
			t.Errorf("%s: %d reads, want %d", step.name, reads, step.reads)
		case step.value == 0:
			if !errors.Is(err, broken) {
				t.Errorf("%s: %v", step.name, err)
			}
		case err != nil || got.value != step.value || got.at.Sub(begun) != step.at:
			t.Errorf("%s: %+v (%v after the beginning), %v", step.name, got, got.at.Sub(begun), err)
		}
	}
	if n := strings.Count(log.String(), "an older copy is served"); n != 1 || !strings.Contains(log.String(), "things") {
		t.Errorf("the log has %d warnings: %s", n, log.String())
	}
}

// However many ask, one reads; who leaves does not end it for the others.
func TestFreshIsReadOnce(t *testing.T) {
	c := &clock{now: time.Now()}
	begun, finish := make(chan struct{}), make(chan struct{})
	reads := 0
	f := fresh[int]{maxAge: time.Second, now: c.Now, log: slog.Default(), read: func(ctx context.Context) (int, error) {
		reads++
		close(begun)
		<-finish
		return 7, ctx.Err()
	}}
	ctx, leave := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for n := range 20 {
		group.Go(func() {
			asker := ctx
			if n > 0 {
				<-begun
				asker = t.Context()
			}
			if got, err := f.current(asker); err != nil || got.value != 7 {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	<-begun
	leave()
	close(finish)
	group.Wait()
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
}
