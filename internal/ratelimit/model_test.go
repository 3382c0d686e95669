package ratelimit_test

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/internal/ratelimit"
)

// bucket is the naive model: a leaking bucket with exact fractions, holding the units
// in use.
type bucket struct {
	used *big.Rat
	at   time.Time
	rate ratelimit.Rate
}

func (b *bucket) leak(now time.Time) {
	elapsed := big.NewRat(int64(now.Sub(b.at)), int64(b.rate.Per/time.Duration(b.rate.Limit)/1000*1000))
	b.at = now
	b.used.Sub(b.used, elapsed)
	if b.used.Sign() < 0 {
		b.used.SetInt64(0)
	}
}

func (b *bucket) take(now time.Time, cost int) bool {
	b.leak(now)
	after := new(big.Rat).Add(b.used, big.NewRat(int64(cost), 1))
	if after.Cmp(big.NewRat(int64(b.rate.Limit), 1)) > 0 {
		return false
	}
	b.used = after
	return true
}

// Any history of takes and waits over several keys: the limiter decides as the model
// does, and its numbers mean what WIRE §1.2 says.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		l := ratelimit.New(ratelimit.Options{Now: c.Now})
		rate := perMinute(rapid.IntRange(1, 200).Draw(t, "limit"))
		model := map[string]*bucket{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Second)).Draw(t, "wait")))
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			cost := rapid.IntRange(0, rate.Limit+1).Draw(t, "cost")
			if model[key] == nil {
				model[key] = &bucket{new(big.Rat), c.now, rate}
			}
			want := model[key].take(c.now, cost)
			got := l.Take("ITEMS", key, cost, rate)
			if got.Allowed != want {
				t.Fatalf("cost %d: allowed %v, model %v", cost, got.Allowed, want)
			}
			checkNumbers(t, l, c, key, rate, got, cost)
		}
	})
}

// checkNumbers compares a decision with the counter itself, moving the clock and back again.
func checkNumbers(t *rapid.T, l *ratelimit.Limiter, c *clock, key string, rate ratelimit.Rate, d ratelimit.Decision,
	cost int,
) {
	if d.Limit != rate.Limit || d.Remaining < 0 || d.Remaining > d.Limit {
		t.Fatalf("numbers out of range: %+v", d)
	}
	if d.Reset < 0 || d.Reset > rate.Per || d.RetryAfter > d.Reset {
		t.Fatalf("times out of range: %+v", d)
	}
	now := c.now
	defer func() { c.now = now }()
	if passes := peek(l, key, rate).Allowed; passes != (d.Remaining > 0) {
		t.Fatalf("remaining %d, but a request passes: %v", d.Remaining, passes)
	}
	c.now = now.Add(d.Reset)
	if full := peek(l, key, rate); full.Remaining != rate.Limit || full.Reset != 0 {
		t.Fatalf("not full after Reset %v: %+v", d.Reset, full)
	}
	if d.Allowed || cost > rate.Limit {
		return
	}
	c.now = now.Add(d.RetryAfter)
	if after := peek(l, key, rate); after.Remaining != cost {
		t.Fatalf("after RetryAfter %v there are %d left, want %d", d.RetryAfter, after.Remaining, cost)
	}
}
