package limit

import "time"

// The generic cell rate algorithm. A counter is one number, the time at which it will
// be full again ("theoretical arrival time"): a request of cost 1 moves it one
// interval further, and it may lie at most Limit intervals ahead of now. A counter
// whose time has passed is full, which is the same as a counter never seen.

// interval is the time in which one unit refills. Rounding it down keeps Limit
// intervals within Per, so Reset never exceeds it; the caller gains less than Limit
// nanoseconds per Per.
func (r Rate) interval() int64 { return max(1, int64(r.Per)/int64(r.Limit)) }

// decide tells whether cost passes at now for a counter that is full at the time full,
// and when it will be full afterwards. The cost is spent only when it passes and spend
// is set; the numbers describe the state next.
func decide(full, now int64, cost int, r Rate, spend bool) (next int64, d Decision) {
	d = Decision{Limit: max(0, r.Limit)}
	if r.Limit <= 0 {
		d.Reset, d.RetryAfter = r.Per, r.Per
		return full, d
	}
	cost = max(0, cost)
	each := r.interval()
	window := each * int64(r.Limit)
	// The upper bound only matters when the clock went backwards or the rate was
	// lowered: nobody waits longer than one window.
	owed := min(max(0, full-now), window)
	price := min(int64(cost), int64(r.Limit)) * each
	d.Allowed = cost <= r.Limit && owed+price <= window
	switch {
	case !d.Allowed:
		d.RetryAfter = time.Duration(owed + price - window)
	case spend:
		owed += price
	}
	d.Remaining = int((window - owed) / each)
	d.Reset = time.Duration(owed)
	return now + owed, d
}
