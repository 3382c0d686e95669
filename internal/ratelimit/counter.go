package ratelimit

import "time"

// The generic cell rate algorithm. A counter is one number, the time at which it will
// be full again ("theoretical arrival time"): a request of cost 1 moves it one
// interval further, and it may lie at most Limit intervals ahead of now. A counter
// whose time has passed is full, which is the same as a counter never seen.

// interval is the time in which one unit refills, in whole microseconds: the unit of stores
// that keep counters for several processes. Rounding it down keeps Limit intervals within
// Per, so Reset never exceeds it; the caller gains less than Limit microseconds per Per.
func (r Rate) interval() time.Duration {
	return max(time.Microsecond, (r.Per / time.Duration(r.Limit)).Truncate(time.Microsecond))
}

// Terms are what decides about a charge: it passes when price and what the counter owes, the
// time until it is full, are together not more than the window. A charge that never passes
// has a price above the window.
func (c Charge) Terms() (price, window time.Duration) {
	if c.Rate.Limit <= 0 {
		return time.Microsecond, 0
	}
	each := c.Rate.interval()
	return time.Duration(min(max(0, c.Cost), c.Rate.Limit+1)) * each, time.Duration(c.Rate.Limit) * each
}

// Judge tells whether the charge passes on a counter that owes so much, and how much it owes
// afterwards. The cost is spent only when it passes and spend is set; the decision describes
// the state after.
func (c Charge) Judge(owed time.Duration, spend bool) (after time.Duration, d Decision) {
	d = Decision{Limit: max(0, c.Rate.Limit), Bucket: c.Bucket}
	if c.Rate.Limit <= 0 {
		d.Reset, d.RetryAfter = c.Rate.Per, c.Rate.Per
		return owed, d
	}
	price, window := c.Terms()
	// The upper bound only matters when the clock went backwards or the rate was
	// lowered: nobody waits longer than one window.
	owed = min(max(0, owed), window)
	d.Allowed = owed+price <= window
	switch {
	case !d.Allowed:
		d.RetryAfter = owed + min(price, window) - window
	case spend:
		owed += price
	}
	d.Remaining = int((window - owed) / c.Rate.interval())
	d.Reset = owed
	return owed, d
}
