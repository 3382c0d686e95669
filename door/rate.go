package door

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/limit"
)

// Shared is the bucket of everything that has no bucket of its own: unknown paths,
// wrong methods (WIRE §1.2).
const Shared = "SHARED"

// Rates are the limits of each kind of viewer, the same in every bucket.
type Rates map[viewer.Kind]limit.Rate

// DefaultRates are those of WIRE §1.2: 50 a minute for guests, 120 for the others.
func DefaultRates() Rates {
	member := limit.Rate{Limit: 120, Per: time.Minute}
	return Rates{
		viewer.Guest:   {Limit: 50, Per: time.Minute},
		viewer.Session: member, viewer.Token: member, viewer.OAuth: member,
	}
}

// caller is the counter key and the rate of a viewer (WIRE §1.2): guests are counted by
// address, sessions by user, API tokens one by one, Public Mode or not, and an application
// by the user it acts for, however many access tokens it has for him.
func (d *Door) caller(v viewer.Viewer) (key string, rate limit.Rate) {
	rate, known := d.o.Rates[v.Kind]
	switch {
	case known && v.Is(viewer.Session):
		return "session " + v.Account, rate
	case known && v.Is(viewer.Token):
		return "token " + v.Token, rate
	case known && v.Is(viewer.OAuth):
		return "oauth " + v.App + " " + v.Account, rate
	}
	return "guest " + AddressKey(v.Address), d.o.Rates[viewer.Guest]
}

// Admit is the gate of an endpoint: credentials, then the rate limit (WIRE §2.2, order
// of checks). It charges cost to the bucket and sets the RateLimit headers. When it
// reports false the refusal, 401 or 429, is already written.
func (d *Door) Admit(w http.ResponseWriter, r *http.Request, bucket string, cost int) bool {
	dec := d.Take(r, bucket, cost)
	d.SetRateHeaders(w.Header(), dec)
	switch bad := badCredential(w); {
	case !dec.Allowed:
		d.TooMany(w, r, dec)
		return false
	case bad != nil:
		d.Error(w, r, bad)
		return false
	}
	return true
}

// Take charges cost to the caller's counter of the bucket. Admit is what endpoints
// use; Take alone does not look at credentials, but Write does.
func (d *Door) Take(r *http.Request, bucket string, cost int) limit.Decision {
	v := viewer.From(r.Context())
	key, rate := d.caller(v)
	dec := d.o.Limiter.Take(bucket, key, cost, rate)
	if dec.Allowed {
		d.o.Count(v, bucket, cost)
	}
	return dec
}

// peek tells the state of the caller's counter without charging it.
func (d *Door) peek(r *http.Request, bucket string) limit.Decision {
	key, rate := d.caller(viewer.From(r.Context()))
	return d.o.Limiter.Peek(bucket, key, rate)
}

// SetRateHeaders writes the four headers of WIRE §1.2 from one decision.
func (d *Door) SetRateHeaders(h http.Header, dec limit.Decision) {
	setAll(h,
		rateLimit, strconv.Itoa(dec.Limit),
		"RateLimit-Remaining", strconv.Itoa(dec.Remaining),
		"RateLimit-Reset", strconv.Itoa(wholeSeconds(dec.Reset)),
		"RateLimit-Bucket", dec.Bucket,
	)
}

// rateLimit is there when the others are.
const rateLimit = "RateLimit-Limit"

// TooMany answers 429 from a refused decision (WIRE §2.4).
func (d *Door) TooMany(w http.ResponseWriter, r *http.Request, dec limit.Decision) {
	d.SetRateHeaders(w.Header(), dec)
	wait := wholeSeconds(dec.RetryAfter)
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	d.Error(w, r, graph.Errorf(graph.TooManyRequests, "Too many requests, try again in %s.", inSeconds(wait)))
}

// wholeSeconds rounds up, so that waiting that long is enough.
func wholeSeconds(t time.Duration) int {
	return int((t + time.Second - 1) / time.Second)
}

func inSeconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}
