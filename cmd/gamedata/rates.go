package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"gamedata/door"
	"gamedata/graph/viewer"
	"gamedata/limit"
)

// rateFlags are how many requests each kind of viewer may make per bucket and minute.
type rateFlags map[viewer.Kind]*int

const highestRate = 1_000_000

// rateKinds say of whom each limit is.
var rateKinds = []struct {
	kind viewer.Kind
	whom string
}{{viewer.Guest, "a guest"}, {viewer.Session, "somebody signed in"}, {viewer.Token, "an API token"}, {viewer.OAuth, "an application for one user"}}

func (f *rateFlags) add(flags *pflag.FlagSet) {
	*f = rateFlags{}
	standard := door.DefaultRates()
	for _, k := range rateKinds {
		usage := fmt.Sprintf("requests %s may make per bucket and minute, 1 to %d", k.whom, highestRate)
		(*f)[k.kind] = flags.Int(flagOf(k.kind), standard[k.kind].Limit, usage)
	}
}

func flagOf(k viewer.Kind) string { return strings.ToLower(string(k)) + "-rate" }

func (f rateFlags) check() error {
	for _, k := range rateKinds {
		if n := *f[k.kind]; n < 1 || n > highestRate {
			return usageError{fmt.Errorf("--%s must be 1 to %d", flagOf(k.kind), highestRate)}
		}
	}
	return nil
}

func (f rateFlags) rates() door.Rates {
	out := door.Rates{}
	for kind, n := range f {
		out[kind] = limit.Rate{Limit: *n, Per: time.Minute}
	}
	return out
}
