package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/ratelimit"
)

// Shared is the bucket of everything that has no bucket of its own: unknown paths,
// wrong methods (WIRE §1.2).
const Shared = "SHARED"

// Rates are the limits of each kind of viewer.
type Rates map[viewer.Kind]ratelimit.Rate

// DefaultRates are those of WIRE §1.2: 50 a minute for guests, 120 for the others.
func DefaultRates() Rates {
	member := ratelimit.Rate{Limit: 120, Per: time.Minute}
	return Rates{
		viewer.Guest:   {Limit: 50, Per: time.Minute},
		viewer.Session: member, viewer.Token: member, viewer.OAuth: member,
	}
}

// RateLimits counts requests by viewer and bucket.
type RateLimits struct {
	Limiter     ratelimit.Counters
	Rates       Rates            // in buckets without rates of their own
	BucketRates map[string]Rates // by bucket
}

// rate is the limit of a kind of viewer in a bucket.
func (l RateLimits) rate(bucket string, kind viewer.Kind) ratelimit.Rate {
	if r, ok := l.BucketRates[bucket][kind]; ok {
		return r
	}
	return l.Rates[kind]
}

func (d *Door) limits() RateLimits { return RateLimits{d.o.Limiter, d.o.Rates, d.o.BucketRates} }

func (d *Door) rate(bucket string, kind viewer.Kind) ratelimit.Rate {
	return d.limits().rate(bucket, kind)
}

func (d *Door) caller(v viewer.Viewer) (key string, kind viewer.Kind) { return d.limits().caller(v) }

// caller is the counter key of a viewer and the kind whose rates count for it (WIRE §1.2):
// guests are counted by address, sessions by user, API tokens one by one, Public Mode or not,
// and an application by the user it acts for, however many access tokens it has for him.
func (l RateLimits) caller(v viewer.Viewer) (key string, kind viewer.Kind) {
	switch _, known := l.Rates[v.Kind]; {
	case known && v.Is(viewer.Session):
		return "session " + v.Account, viewer.Session
	case known && v.Is(viewer.Token):
		return "token " + v.Token, viewer.Token
	case known && v.Is(viewer.OAuth):
		return "oauth " + v.App + " " + v.Account, viewer.OAuth
	}
	return addressKey("guest ", v.Address), viewer.Guest
}

// Admit is the gate of an endpoint: credentials, then the rate limit (WIRE §2.2, order
// of checks). It charges cost to the bucket and sets the RateLimit headers. When it
// reports false the refusal, 401 or 429, is already written.
func (d *Door) Admit(w http.ResponseWriter, r *http.Request, bucket string, cost int) bool {
	dec := d.Take(w, bucket, cost)
	d.SetRateHeaders(w, dec)
	switch bad := badCredential(w); {
	case !dec.Allowed:
		d.TooMany(w, r, dec)
		return false
	case bad != nil:
		d.Error(w, r, bad)
		return false
	}
	charged(w, cost)
	return true
}

// Take charges cost to the caller's counter of the bucket. Admit is what endpoints
// use; Take alone does not look at credentials, but Write does.
func (d *Door) Take(w http.ResponseWriter, bucket string, cost int) ratelimit.Decision {
	v := Asker(w)
	key, kind := d.caller(v)
	dec := d.o.Limiter.Take(bucket, key, cost, d.rate(bucket, kind))
	if dec.Allowed {
		d.o.Count(v, bucket, cost)
	}
	return dec
}

// TakeAll charges prices to the caller's counters of their buckets, or to none when one lacks
// room. The decision is that of the bucket with the least remaining, or of the one to wait for;
// that of SHARED when nothing is charged. The error says that a price is beyond its limit. It
// does not look at credentials.
func (d *Door) TakeAll(w http.ResponseWriter, prices map[string]int) (ratelimit.Decision, *graph.Error) {
	if len(prices) == 0 {
		free := d.peek(w, Shared)
		free.Allowed = true
		return free, nil
	}
	v := Asker(w)
	key, kind := d.caller(v)
	var charges []ratelimit.Charge
	for _, bucket := range sortedKeys(prices) {
		cost, rate := prices[bucket], d.rate(bucket, kind)
		if cost > rate.Limit {
			return ratelimit.Decision{}, graph.Errorf(graph.LimitExceeded,
				"This operation costs %d in bucket %s, more than its limit of %d.", cost, bucket, rate.Limit)
		}
		charges = append(charges, ratelimit.Charge{Bucket: bucket, Cost: cost, Rate: rate})
	}
	decisions, allowed := d.o.Limiter.TakeAll(key, charges)
	if !allowed {
		return slices.MaxFunc(decisions, func(a, b ratelimit.Decision) int { return int(a.RetryAfter - b.RetryAfter) }), nil
	}
	for _, c := range charges {
		d.o.Count(v, c.Bucket, c.Cost)
		charged(w, c.Cost)
	}
	return slices.MinFunc(decisions, func(a, b ratelimit.Decision) int { return a.Remaining - b.Remaining }), nil
}

// peek tells the state of the caller's counter without charging it.
func (d *Door) peek(w http.ResponseWriter, bucket string) ratelimit.Decision {
	key, kind := d.caller(Asker(w))
	return d.o.Limiter.Peek(bucket, key, d.rate(bucket, kind))
}

// Counters returns the state of a viewer's counters without charging them.
func (l RateLimits) Counters(v viewer.Viewer, buckets []string) []graph.Counter {
	key, kind := l.caller(v)
	charges := make([]ratelimit.Charge, len(buckets))
	for i, b := range buckets {
		charges[i] = ratelimit.Charge{Bucket: b, Cost: 1, Rate: l.rate(b, kind)}
	}
	out := make([]graph.Counter, len(buckets))
	for i, dec := range l.Limiter.PeekAll(key, charges) {
		out[i] = graph.Counter{
			Bucket: dec.Bucket, Kind: kind, Limit: dec.Limit, Remaining: dec.Remaining,
			Reset: WholeSeconds(dec.Reset), Window: WholeSeconds(charges[i].Rate.Per),
		}
	}
	return out
}

// SetRateHeaders writes the four headers of WIRE §1.2 from one decision.
func (d *Door) SetRateHeaders(w http.ResponseWriter, dec ratelimit.Decision) {
	setAll(w,
		rateLimit, strconv.Itoa(dec.Limit),
		"RateLimit-Remaining", strconv.Itoa(dec.Remaining),
		"RateLimit-Reset", strconv.Itoa(WholeSeconds(dec.Reset)),
		"RateLimit-Bucket", dec.Bucket,
	)
}

// rateLimit is there when the others are.
const rateLimit = "RateLimit-Limit"

// TooMany answers 429 from a refused decision (WIRE §2.4).
func (d *Door) TooMany(w http.ResponseWriter, r *http.Request, dec ratelimit.Decision) {
	d.SetRateHeaders(w, dec)
	wait := WholeSeconds(dec.RetryAfter)
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	d.Error(w, r, graph.Errorf(graph.TooManyRequests, "Too many requests, try again in %s.", inSeconds(wait)))
}

// WholeSeconds rounds up, so that waiting that long is enough.
func WholeSeconds(t time.Duration) int {
	return int((t + time.Second - 1) / time.Second)
}

func inSeconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}
