package main

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

// rateFlags are how many requests each kind of viewer may make per minute: in every bucket,
// and in buckets that have numbers of their own.
type rateFlags struct {
	kinds   map[viewer.Kind]*int
	buckets bucketRates
}

const highestRate = 1_000_000

// rateKind says of whom a limit is.
type rateKind struct {
	kind viewer.Kind
	whom string
}

var rateKinds = []rateKind{{viewer.Guest, "a guest"}, {viewer.Session, "somebody signed in"}, {
	viewer.Token,
	"an API token",
}, {viewer.OAuth, "an application for one user"}}

func (f *rateFlags) add(flags *pflag.FlagSet) {
	f.kinds, f.buckets = map[viewer.Kind]*int{}, bucketRates{}
	standard := httpapi.DefaultRates()
	for _, k := range rateKinds {
		usage := fmt.Sprintf("requests %s may make per bucket and minute, 1 to %d", k.whom, highestRate)
		f.kinds[k.kind] = flags.Int(flagOf(k.kind), standard[k.kind].Limit, usage)
	}
	flags.Var(f.buckets, "rates", "requests per minute in buckets that shall differ, such as ITEMS.guest=20,PLAYER.token=600")
}

func flagOf(k viewer.Kind) string { return strings.ToLower(string(k)) + "-rate" }

func (f rateFlags) check() error {
	for _, k := range rateKinds {
		if n := *f.kinds[k.kind]; n < 1 || n > highestRate {
			return usageError{fmt.Errorf("--%s must be 1 to %d", flagOf(k.kind), highestRate)}
		}
	}
	return nil
}

func (f rateFlags) rates() httpapi.Rates {
	out := httpapi.Rates{}
	for kind, n := range f.kinds {
		out[kind] = perMinute(*n)
	}
	return out
}

// bucketRates are the numbers of buckets that have their own, by bucket and kind. It is a flag:
// what is set later adds to what was set before.
type bucketRates map[string]httpapi.Rates

// Set reads BUCKET.kind=N, several with commas between them.
func (b bucketRates) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		bucket, kind, ok := strings.Cut(name, ".")
		if !ok {
			return errors.New("want numbers such as ITEMS.guest=20, with commas between them")
		}
		if !model.Bucket(bucket).IsValid() {
			return fmt.Errorf("there is no bucket %q: they are %s", bucket, joined(model.AllBucket))
		}
		at := slices.IndexFunc(rateKinds, func(k rateKind) bool { return string(k.kind) == kind })
		if at < 0 {
			return fmt.Errorf("there is no kind of viewer %q: they are guest, session, token, oauth", kind)
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > highestRate {
			return fmt.Errorf("%s must be 1 to %d", name, highestRate)
		}
		if b[bucket] == nil {
			b[bucket] = httpapi.Rates{}
		}
		b[bucket][rateKinds[at].kind] = perMinute(n)
	}
	return nil
}

// String gives the numbers as Set reads them, in order.
func (b bucketRates) String() string {
	var out []string
	for bucket, rates := range b {
		for kind, r := range rates {
			out = append(out, fmt.Sprintf("%s.%s=%d", bucket, kind, r.Limit))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Type is the word for the value in the help.
func (b bucketRates) Type() string { return "bucket.kind=n" }

// SetBelow sets a number that a settings file has below the flag's name: bucket, then kind.
func (b bucketRates) SetBelow(name, value string) error { return b.Set(name + "=" + value) }

func perMinute(n int) ratelimit.Rate { return ratelimit.Rate{Limit: n, Per: time.Minute} }

func joined(buckets []model.Bucket) string {
	names := make([]string, len(buckets))
	for i, b := range buckets {
		names[i] = string(b)
	}
	return strings.Join(names, ", ")
}
