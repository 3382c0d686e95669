package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// queryLimitFlags bound what a request may ask: the text of a GraphQL operation, what its
// answer may hold, and the bytes of a body.
type queryLimitFlags struct {
	limits  graph.Limits
	maxBody byteSize
}

// queryLimit is one of them. The lowest numbers leave room for the service's own pages.
type queryLimit struct {
	name      string
	at        func(*graph.Limits) *int
	low, high int
	usage     string
}

var queryLimits = []queryLimit{
	{"query-tokens", func(l *graph.Limits) *int { return &l.Tokens }, 300, 10_000, "words and signs of a GraphQL text"},
	{
		"query-selections", func(l *graph.Limits) *int { return &l.Selections }, 50, 2000,
		"selections in one pair of braces",
	},
	{
		"query-fields", func(l *graph.Limits) *int { return &l.Fields }, 50, 10_000,
		"fields of an operation, fragments unfolded",
	},
	{"query-depth", func(l *graph.Limits) *int { return &l.Depth }, 8, 50, "levels that fields nest"},
	{
		"query-introspection-depth", func(l *graph.Limits) *int { return &l.IntrospectionDepth }, 8, 50,
		"levels that fields nest under __schema and __type",
	},
	{"query-aliases", func(l *graph.Limits) *int { return &l.Aliases }, 5, 1000, "fields that are given another name"},
	{"query-cost", func(l *graph.Limits) *int { return &l.Cost }, 10_000, 100_000_000, "fields that an answer may hold"},
	{
		"query-unit", func(l *graph.Limits) *int { return &l.UnitFields }, 1, 100_000_000,
		"fields of an answer that 1 in a bucket pays for",
	},
	{
		"query-list", func(l *graph.Limits) *int { return &l.ListSize }, 1, 1000,
		"entries a list is taken to have when nothing tells",
	},
}

func (f *queryLimitFlags) add(flags *pflag.FlagSet) {
	f.limits = graph.DefaultLimits()
	for _, q := range queryLimits {
		at := q.at(&f.limits)
		flags.IntVar(at, q.name, *at, fmt.Sprintf("%s, %d to %d", q.usage, q.low, q.high))
	}
	f.maxBody = httpapi.DefaultMaxBody
	flags.Var(&f.maxBody, "max-body", "longest body of a request, 1KiB to 16MiB")
}

func (f *queryLimitFlags) check() error {
	for _, q := range queryLimits {
		if n := *q.at(&f.limits); n < q.low || n > q.high {
			return usageError{fmt.Errorf("--%s must be %d to %d", q.name, q.low, q.high)}
		}
	}
	if f.maxBody < 1<<10 || f.maxBody > 16<<20 {
		return usageError{fmt.Errorf("--max-body must be 1KiB to 16MiB")}
	}
	return nil
}

// of gives the limits for pages of a size.
func (f *queryLimitFlags) of(pageSize int) graph.Limits {
	out := f.limits
	out.PageSize = pageSize
	return out
}
