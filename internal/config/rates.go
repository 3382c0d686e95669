package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Rates are the rate limits of each kind of viewer: one for every bucket, and overrides for single buckets.
type Rates struct {
	kinds   map[viewer.Kind]*int
	Buckets BucketRates
}

var rateRange = Range[int]{Low: 1, High: 1_000_000}

type rateKind struct {
	kind viewer.Kind
	who  string
}

var rateKinds = []rateKind{
	{viewer.Guest, "a guest"},
	{viewer.Session, "a signed-in user"},
	{viewer.Token, "an API token"},
	{viewer.OAuth, "an application for one user"},
}

func (c *Rates) add(s *Settings) {
	c.kinds, c.Buckets = map[viewer.Kind]*int{}, BucketRates{}
	standard := httpapi.DefaultRates()
	for _, k := range rateKinds {
		c.kinds[k.kind] = new(int)
		s.Int(c.kinds[k.kind], strings.ToLower(string(k.kind))+"-rate", standard[k.kind].Limit, rateRange,
			"requests per bucket and minute for "+k.who+", {range}")
	}
	s.Var(c.Buckets, "rates", "rate limits of single buckets per minute, such as ITEMS.guest=20,PLAYER.token=600")
}

// Limits gives the rate of each kind of viewer in buckets without an override.
func (c Rates) Limits() httpapi.Rates {
	out := httpapi.Rates{}
	for kind, n := range c.kinds {
		out[kind] = perMinute(*n)
	}
	return out
}

// BucketRates are overrides by bucket and kind of viewer. As a flag it accumulates: a later value adds to earlier ones.
type BucketRates map[string]httpapi.Rates

// Set reads BUCKET.kind=N, several separated by commas.
func (b BucketRates) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		bucket, kind, ok := strings.Cut(name, ".")
		if !ok {
			return errors.New("want values such as ITEMS.guest=20, separated by commas")
		}
		if !model.Bucket(bucket).IsValid() {
			return fmt.Errorf("unknown bucket %q; buckets are %s", bucket, joined(model.AllBucket))
		}
		at := slices.IndexFunc(rateKinds, func(k rateKind) bool { return string(k.kind) == kind })
		if at < 0 {
			return fmt.Errorf("unknown kind of viewer %q; kinds are guest, session, token, oauth", kind)
		}
		n, err := strconv.Atoi(number)
		if err != nil || !rateRange.contains(n) {
			return fmt.Errorf("%s must be 1 to %d", name, rateRange.High)
		}
		if b[bucket] == nil {
			b[bucket] = httpapi.Rates{}
		}
		b[bucket][rateKinds[at].kind] = perMinute(n)
	}
	return nil
}

// String gives the overrides as Set reads them, sorted.
func (b BucketRates) String() string {
	var out []string
	for bucket, rates := range b {
		for kind, r := range rates {
			out = append(out, fmt.Sprintf("%s.%s=%d", bucket, kind, r.Limit))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Type names the kind of value in the help.
func (b BucketRates) Type() string { return "bucket.kind=n" }

// SetNested sets a value that the settings file nests below the flag's name: bucket, then kind.
func (b BucketRates) SetNested(name, value string) error { return b.Set(name + "=" + value) }

func perMinute(n int) ratelimit.Rate { return ratelimit.Rate{Limit: n, Per: time.Minute} }

func joined(buckets []model.Bucket) string {
	names := make([]string, len(buckets))
	for i, b := range buckets {
		names[i] = string(b)
	}
	return strings.Join(names, ", ")
}
