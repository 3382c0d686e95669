package ratelimit_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/ratelimit"
)

// clock is a time that tests move.
type clock struct{ now time.Time }

func newClock() *clock                { return &clock{time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)} }
func (c *clock) Now() time.Time       { return c.now }
func (c *clock) Add(d time.Duration)  { c.now = c.now.Add(d) }
func perMinute(n int) ratelimit.Rate  { return ratelimit.Rate{Limit: n, Per: time.Minute} }
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// peek returns the state of a counter of ITEMS.
func peek(l *ratelimit.Limiter, key string, r ratelimit.Rate) ratelimit.Decision {
	return l.Peek(key, []ratelimit.Charge{{Bucket: "ITEMS", Rate: r}})[0]
}

// Each case is a list of steps on one counter; a decision names all of its numbers.
func TestTake(t *testing.T) {
	type step struct {
		wait time.Duration
		cost int
		want ratelimit.Decision
	}
	pass := func(remaining int, reset float64) ratelimit.Decision {
		return ratelimit.Decision{Allowed: true, Limit: 50, Remaining: remaining, Reset: seconds(reset), Bucket: "ITEMS"}
	}
	refuse := func(remaining int, reset, after float64) ratelimit.Decision {
		return ratelimit.Decision{
			Limit: 50, Remaining: remaining, Reset: seconds(reset), RetryAfter: seconds(after),
			Bucket: "ITEMS",
		}
	}
	cases := map[string][]step{
		"first":           {{0, 1, pass(49, 1.2)}},
		"weighted":        {{0, 7, pass(43, 8.4)}, {0, 43, pass(0, 60)}, {0, 1, refuse(0, 60, 1.2)}},
		"all at once":     {{0, 50, pass(0, 60)}, {0, 1, refuse(0, 60, 1.2)}, {0, 5, refuse(0, 60, 6)}},
		"refused is free": {{0, 49, pass(1, 58.8)}, {0, 2, refuse(1, 58.8, 1.2)}, {0, 1, pass(0, 60)}},
		"wait is enough":  {{0, 50, pass(0, 60)}, {seconds(1.2), 1, pass(0, 60)}, {0, 1, refuse(0, 60, 1.2)}},
		"a bit less is not": {{0, 50, pass(0, 60)}, {seconds(1.2) - 1, 1, ratelimit.Decision{Limit: 50, Reset: seconds(58.8) +
			1, RetryAfter: 1, Bucket: "ITEMS"}}},
		"refills evenly":  {{0, 50, pass(0, 60)}, {seconds(30), 0, pass(25, 30)}, {seconds(30), 0, pass(50, 0)}},
		"full stays full": {{0, 1, pass(49, 1.2)}, {time.Hour, 1, pass(49, 1.2)}},
		"above the limit": {{0, 51, refuse(50, 0, 0)}, {0, 10, pass(40, 12)}, {0, 51, refuse(40, 12, 12)}},
		"free":            {{0, 0, pass(50, 0)}, {0, -3, pass(50, 0)}},
		"clock goes back": {{0, 50, pass(0, 60)}, {-time.Hour, 1, refuse(0, 60, 1.2)}, {seconds(1.2), 1, pass(0, 60)}},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			l := ratelimit.New(ratelimit.Options{Now: c.Now})
			for i, s := range steps {
				c.Add(s.wait)
				if diff := cmp.Diff(s.want, l.Take("ITEMS", "a", s.cost, perMinute(50))); diff != "" {
					t.Fatalf("step %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func TestTakeAll(t *testing.T) {
	c := newClock()
	l := ratelimit.New(ratelimit.Options{Now: c.Now})
	charge := func(items, maps int) []ratelimit.Charge {
		return []ratelimit.Charge{{"ITEMS", items, perMinute(50)}, {"MAP", maps, perMinute(10)}}
	}
	steps := []struct {
		items, maps         int
		allowed             bool
		itemsLeft, mapsLeft int
	}{
		{5, 8, true, 45, 2},
		{5, 3, false, 45, 2}, // MAP lacks quota, so ITEMS is not charged either
		{46, 2, false, 45, 2},
		{45, 2, true, 0, 0},
		{1, 0, false, 0, 0},
	}
	for i, s := range steps {
		got, allowed := l.TakeAll("a", charge(s.items, s.maps))
		if allowed != s.allowed || got[0].Remaining != s.itemsLeft || got[1].Remaining != s.mapsLeft {
			t.Fatalf("step %d: allowed %v, decisions %+v", i, allowed, got)
		}
	}
	if d := l.Take("ITEMS", "a", 1, perMinute(0)); d.Allowed || d.Limit != 0 {
		t.Errorf("with a limit of 0: %+v", d)
	}
}

// 1,000 parallel takes at limit N: exactly N pass, with real time passing by.
func TestParallelTakesAreExact(t *testing.T) {
	rate := ratelimit.Rate{Limit: 120, Per: 24 * time.Hour} // refills one in 12 minutes
	l := ratelimit.New(ratelimit.Options{})
	var passed atomic.Int64
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			if i%2 == 0 {
				if l.Take("ITEMS", "a", 1, rate).Allowed {
					passed.Add(1)
				}
				return
			}
			maps := ratelimit.Charge{Bucket: "MAP", Cost: 1, Rate: ratelimit.Rate{Limit: 1000, Per: time.Hour}}
			if _, ok := l.TakeAll("a", []ratelimit.Charge{{"ITEMS", 1, rate}, maps}); ok {
				passed.Add(1)
			}
		})
	}
	wg.Wait()
	if passed.Load() != 120 {
		t.Errorf("%d passed, want 120", passed.Load())
	}
}
