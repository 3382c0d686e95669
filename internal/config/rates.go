package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Rates holds the rate limits of each kind of viewer: a default for every bucket, and overrides for single buckets.
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
	s.Var(c.Buckets, "rates",
		"rate limits of single buckets per minute, such as ITEMS.guest=20,PLAYER.token=600")
}

// Limits gives the rate of each kind of viewer in buckets without an override.
func (c Rates) Limits() httpapi.Rates {
	out := httpapi.Rates{}
	for kind, n := range c.kinds {
		out[kind] = perMinute(*n)
	}
	return out
}

// BucketRates holds overrides by bucket and kind of viewer. The flag accumulates: later values add to earlier ones.
type BucketRates map[string]httpapi.Rates

var (
	_ pflag.Value = BucketRates{}
	_ nestedFlag  = BucketRates{}
)

// Set parses BUCKET.kind=N, or several separated by commas.
func (b BucketRates) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return errors.New("want values such as ITEMS.guest=20, separated by commas")
		}
		if err := b.SetNested(name, value); err != nil {
			return err
		}
	}
	return nil
}

// SetNested parses the name BUCKET.kind, which the settings file may nest, and the value N.
func (b BucketRates) SetNested(name, value string) error {
	bucket, kind, _ := strings.Cut(name, ".")
	if !model.Bucket(bucket).IsValid() {
		return fmt.Errorf("unknown bucket %q; buckets are %s", bucket, strings.Trim(fmt.Sprint(model.AllBucket), "[]"))
	}
	at := slices.IndexFunc(rateKinds, func(k rateKind) bool { return string(k.kind) == kind })
	if at < 0 {
		return fmt.Errorf("unknown kind of viewer %q; kinds are guest, session, token, oauth", kind)
	}
	n, err := strconv.Atoi(value)
	if err != nil || !rateRange.contains(n) {
		return fmt.Errorf("%s must be 1 to %d", name, rateRange.High)
	}
	if b[bucket] == nil {
		b[bucket] = httpapi.Rates{}
	}
	b[bucket][rateKinds[at].kind] = perMinute(n)
	return nil
}

// String formats the values for Set, sorted.
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

// Type returns the kind of value for the help.
func (BucketRates) Type() string { return "bucket.kind=n" }

func perMinute(n int) ratelimit.Rate { return ratelimit.Rate{Limit: n, Per: time.Minute} }
