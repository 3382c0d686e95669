package redis

import (
	"slices"
	"time"

	"gamedata/internal/ratelimit"
)

// Take implements ratelimit.Counters.
func (c *Counters) Take(bucket, key string, cost int, r ratelimit.Rate) ratelimit.Decision {
	decisions, _ := c.TakeAll(key, []ratelimit.Charge{{Bucket: bucket, Cost: cost, Rate: r}})
	return decisions[0]
}

// TakeAll implements ratelimit.Counters.
func (c *Counters) TakeAll(key string, charges []ratelimit.Charge) (decisions []ratelimit.Decision, allowed bool) {
	if len(charges) == 0 {
		return nil, true
	}
	owed, err := c.owed(key, charges, true)
	if err != nil {
		return c.local.TakeAll(key, charges)
	}
	decisions, after := judge(charges, owed, false)
	allowed = !slices.ContainsFunc(decisions, func(d ratelimit.Decision) bool { return !d.Allowed })
	if allowed {
		decisions, after = judge(charges, owed, true)
	}
	c.local.Learn(key, charges, after)
	return decisions, allowed
}

// Peek implements ratelimit.Counters.
func (c *Counters) Peek(key string, charges []ratelimit.Charge) []ratelimit.Decision {
	if len(charges) == 0 {
		return nil
	}
	owed, err := c.owed(key, charges, false)
	if err != nil {
		return c.local.Peek(key, charges)
	}
	ones := slices.Clone(charges)
	for i := range ones {
		ones[i].Cost = 1
	}
	decisions, after := judge(ones, owed, false)
	c.local.Learn(key, charges, after)
	return decisions
}

// judge decides like the script, from what the counters owed before it.
func judge(charges []ratelimit.Charge, owed []time.Duration, spend bool) ([]ratelimit.Decision, []time.Duration) {
	decisions := make([]ratelimit.Decision, len(charges))
	after := make([]time.Duration, len(charges))
	for i, c := range charges {
		after[i], decisions[i] = c.Judge(owed[i], spend)
	}
	return decisions, after
}
