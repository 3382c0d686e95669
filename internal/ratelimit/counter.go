package ratelimit

import "time"

// The generic cell rate algorithm. A counter is one number, the time at which it will be full again ("theoretical
// arrival time"): a request of cost 1 moves it one interval further, to at most Limit intervals from now. A counter
// whose time has passed is full, like an unused one.

// interval is the time in which one unit refills, in whole microseconds, the unit of shared stores. It
// is rounded down so that Limit intervals fit into Per and Reset never exceeds it; the caller gains
// less than Limit microseconds per Per.
func (r Rate) interval() time.Duration {
	return max(time.Microsecond, (r.Per / time.Duration(r.Limit)).Truncate(time.Microsecond))
}

// Terms returns the price and window of a charge. The charge passes if its price plus the counter's debt, the time
// until it is full, is at most the window. A charge that can never pass has a price above the window.
func (c Charge) Terms() (price, window time.Duration) {
	if c.Rate.Limit <= 0 {
		return time.Microsecond, 0
	}
	each := c.Rate.interval()
	return time.Duration(min(max(0, c.Cost), c.Rate.Limit+1)) * each, time.Duration(c.Rate.Limit) * each
}

// Judge decides whether the charge passes on a counter with a debt owed, and returns the debt afterwards. It charges
// the cost only if it passes and spend is set. The decision describes the state afterwards.
func (c Charge) Judge(owed time.Duration, spend bool) (after time.Duration, d Decision) {
	d = Decision{Limit: max(0, c.Rate.Limit), Bucket: c.Bucket}
	if c.Rate.Limit <= 0 {
		d.Reset, d.RetryAfter = c.Rate.Per, c.Rate.Per
		return owed, d
	}
	price, window := c.Terms()
	// The upper bound only matters when the clock went backwards or the rate was lowered: no
	// caller waits longer than one window.
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
