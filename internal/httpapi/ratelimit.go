package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/ratelimit"
)

// Shared is the bucket for requests without another bucket, such as unknown paths and wrong methods.
const Shared = "SHARED"

// Pages is the bucket of pages for browsers.
const Pages = "PAGES"

// Rates are the limits of each kind of viewer.
type Rates map[viewer.Kind]ratelimit.Rate

// DefaultRates allows guests 50 requests a minute and other viewers 120.
func DefaultRates() Rates {
	member := ratelimit.Rate{Limit: 120, Per: time.Minute}
	return Rates{
		viewer.Guest:   {Limit: 50, Per: time.Minute},
		viewer.Session: member, viewer.Token: member, viewer.OAuth: member,
	}
}

// RateLimitOptions configure a RateLimiter. Counters is required.
type RateLimitOptions struct {
	Counters ratelimit.Counters
	Rates    Rates // DefaultRates when nil
	// BucketRates overrides Rates by bucket, for the viewer kinds it lists.
	BucketRates map[string]Rates
	// Count is called with every charge of an allowed request; may be nil.
	Count func(v viewer.Viewer, bucket string, cost int)
}

// RateLimiter charges requests to their callers' counters.
type RateLimiter struct {
	o      RateLimitOptions
	errors *ErrorWriter
}

// newRateLimiter returns a RateLimiter that writes its rejections with an ErrorWriter.
func newRateLimiter(o RateLimitOptions, rejections *ErrorWriter) *RateLimiter {
	if o.Rates == nil {
		o.Rates = DefaultRates()
	}
	if o.Count == nil {
		o.Count = func(viewer.Viewer, string, int) {}
	}
	return &RateLimiter{o: o, errors: rejections}
}

// rate returns the limit of a bucket for a kind of viewer.
func (l *RateLimiter) rate(bucket string, kind viewer.Kind) ratelimit.Rate {
	if r, ok := l.o.BucketRates[bucket][kind]; ok {
		return r
	}
	return l.o.Rates[kind]
}

// caller returns the counter key of a viewer and the kind whose rates apply: guests are counted by address, sessions by
// user, each API token by itself, and an application by the user it acts for, whichever access token it sends.
func (l *RateLimiter) caller(v viewer.Viewer) (key string, kind viewer.Kind) {
	switch _, known := l.o.Rates[v.Kind]; {
	case known && v.Is(viewer.Session):
		return "session " + v.Account, viewer.Session
	case known && v.Is(viewer.Token):
		return "token " + v.Token, viewer.Token
	case known && v.Is(viewer.OAuth):
		return "oauth " + v.App + " " + v.Account, viewer.OAuth
	}
	return "guest " + AddressKey(v.Address), viewer.Guest
}

// CallerKey returns the counter key of a request's caller.
func (l *RateLimiter) CallerKey(ctx context.Context) string {
	key, _ := l.caller(ViewerFrom(ctx))
	return key
}

// Authorize checks the credential and charges cost to the caller's counter of a bucket. An invalid credential is
// charged to the client's address: the response is 401 while the address has quota left, then 429. If Authorize returns
// false, it has written the error.
func (l *RateLimiter) Authorize(w http.ResponseWriter, r *http.Request, bucket string, cost int) bool {
	s := stateFrom(r.Context())
	d := l.Charge(s, bucket, cost)
	if !d.Allowed {
		l.TooManyRequests(w, r, d)
		return false
	}
	s.setRateHeaders(w.Header(), d)
	if s.credentialError != nil {
		l.errors.Write(w, r, s.credentialError)
		return false
	}
	s.info.Cost += cost
	return true
}

// Charge charges cost to the caller's counter of a bucket. It does not check the credential.
func (l *RateLimiter) Charge(ctx context.Context, bucket string, cost int) ratelimit.Decision {
	v := ViewerFrom(ctx)
	key, kind := l.caller(v)
	d := l.o.Counters.Take(bucket, key, cost, l.rate(bucket, kind))
	if d.Allowed {
		l.o.Count(v, bucket, cost)
	}
	return d
}

// ChargeAll charges costs to the caller's counters of their buckets, or to none when one of them lacks quota. The
// decision describes the bucket with the least remaining, or after a rejection the bucket with the longest wait;
// without costs it describes SHARED. The error means that a cost exceeds the limit of its bucket. ChargeAll does not
// check the credential.
func (l *RateLimiter) ChargeAll(ctx context.Context, costs map[string]int) (ratelimit.Decision, *graph.Error) {
	s := stateFrom(ctx)
	v := ViewerFrom(s)
	if len(costs) == 0 {
		d := l.peek(v, Shared)
		d.Allowed = true
		return d, nil
	}
	key, kind := l.caller(v)
	charges := make([]ratelimit.Charge, 0, len(costs))
	for bucket, cost := range costs {
		charges = append(charges, ratelimit.Charge{Bucket: bucket, Cost: cost, Rate: l.rate(bucket, kind)})
	}
	slices.SortFunc(charges, func(a, b ratelimit.Charge) int { return strings.Compare(a.Bucket, b.Bucket) })
	for _, c := range charges {
		if c.Cost > c.Rate.Limit {
			return ratelimit.Decision{}, graph.Errorf(graph.LimitExceeded,
				"This operation costs %d in bucket %s, more than its limit of %d.", c.Cost, c.Bucket, c.Rate.Limit)
		}
	}
	decisions, allowed := l.o.Counters.TakeAll(key, charges)
	if !allowed {
		return slices.MaxFunc(decisions, func(a, b ratelimit.Decision) int { return int(a.RetryAfter - b.RetryAfter) }), nil
	}
	for _, c := range charges {
		l.o.Count(v, c.Bucket, c.Cost)
		s.info.Cost += c.Cost
	}
	return slices.MinFunc(decisions, func(a, b ratelimit.Decision) int { return a.Remaining - b.Remaining }), nil
}

// peek returns the state of a viewer's counter without charging it.
func (l *RateLimiter) peek(v viewer.Viewer, bucket string) ratelimit.Decision {
	key, kind := l.caller(v)
	return l.o.Counters.Peek(key, []ratelimit.Charge{{Bucket: bucket, Rate: l.rate(bucket, kind)}})[0]
}

// Counters returns the state of a viewer's counters without charging them.
func (l *RateLimiter) Counters(v viewer.Viewer, buckets []string) []graph.Counter {
	key, kind := l.caller(v)
	charges := make([]ratelimit.Charge, len(buckets))
	for i, b := range buckets {
		charges[i] = ratelimit.Charge{Bucket: b, Rate: l.rate(b, kind)}
	}
	out := make([]graph.Counter, len(buckets))
	for i, d := range l.o.Counters.Peek(key, charges) {
		out[i] = graph.Counter{
			Bucket: d.Bucket, Kind: kind, Limit: d.Limit, Remaining: d.Remaining,
			Reset: WholeSeconds(d.Reset), Window: WholeSeconds(charges[i].Rate.Per),
		}
	}
	return out
}

// TooManyRequests writes the 429 for a rejection.
func (l *RateLimiter) TooManyRequests(w http.ResponseWriter, r *http.Request, d ratelimit.Decision) {
	SetRateHeaders(w, r, d)
	wait := WholeSeconds(d.RetryAfter)
	err := graph.Errorf(graph.TooManyRequests, "Too many requests, try again in %s.", Seconds(wait))
	err.RetryAfter = wait
	l.errors.Write(w, r, err)
}

// SetRateHeaders sets the four RateLimit headers.
func SetRateHeaders(w http.ResponseWriter, r *http.Request, d ratelimit.Decision) {
	stateFrom(r.Context()).setRateHeaders(w.Header(), d)
}

func (s *requestState) setRateHeaders(h http.Header, d ratelimit.Decision) {
	s.info.Bucket = d.Bucket
	s.setHeaders(h, "RateLimit-Limit", strconv.Itoa(d.Limit), "RateLimit-Remaining", strconv.Itoa(d.Remaining),
		"RateLimit-Reset", strconv.Itoa(WholeSeconds(d.Reset)), "RateLimit-Bucket", d.Bucket)
}

// WholeSeconds rounds up to whole seconds: clients wait long enough.
func WholeSeconds(t time.Duration) int {
	return int((t + time.Second - 1) / time.Second)
}

// Seconds formats a number of seconds.
func Seconds(n int) string { return fmt.Sprintf("%d %s", n, english.PluralWord(n, "second", "")) }
