package config

import (
	"fmt"

	"github.com/spf13/pflag"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// QueryLimits bound a request: the text of a GraphQL operation, the size of its response, the bytes of a body.
type QueryLimits struct {
	limits  graph.Limits
	MaxBody ByteSize
}

// The lowest values leave enough for the service's own pages.
var queryLimits = []struct {
	name      string
	of        func(*graph.Limits) *int
	low, high int
	usage     string
}{
	{"query-tokens", func(l *graph.Limits) *int { return &l.Tokens }, 300, 10_000, "tokens of a GraphQL document"},
	{"query-selections", func(l *graph.Limits) *int { return &l.Selections }, 50, 2000, "selections in one selection set"},
	{
		"query-fields", func(l *graph.Limits) *int { return &l.Fields }, 50, 10_000,
		"fields of an operation, counting fragments at every use",
	},
	{"query-depth", func(l *graph.Limits) *int { return &l.Depth }, 8, 50, "nesting depth of fields"},
	{
		"query-introspection-depth", func(l *graph.Limits) *int { return &l.IntrospectionDepth }, 8, 50,
		"nesting depth of fields under __schema and __type",
	},
	{"query-aliases", func(l *graph.Limits) *int { return &l.Aliases }, 5, 1000, "aliased fields"},
	{
		"query-cost", func(l *graph.Limits) *int { return &l.Cost }, 10_000, 100_000_000,
		"fields that a response may contain",
	},
	{
		"query-unit", func(l *graph.Limits) *int { return &l.UnitFields }, 1, 100_000_000,
		"fields of a response that cost 1 in a bucket",
	},
	{
		"query-list", func(l *graph.Limits) *int { return &l.ListSize }, 1, 1000,
		"estimated entries of a list of unknown length",
	},
}

// Add registers the settings as flags.
func (c *QueryLimits) Add(flags *pflag.FlagSet) {
	c.limits = graph.DefaultLimits()
	for _, q := range queryLimits {
		value := q.of(&c.limits)
		flags.IntVar(value, q.name, *value, fmt.Sprintf("%s, %d to %d", q.usage, q.low, q.high))
	}
	c.MaxBody = httpapi.DefaultMaxBody
	flags.Var(&c.MaxBody, "max-body", "largest request body, 1KiB to 16MiB")
}

// Check validates the ranges.
func (c *QueryLimits) Check() error {
	for _, q := range queryLimits {
		if n := *q.of(&c.limits); n < q.low || n > q.high {
			return Usagef("--%s must be %d to %d", q.name, q.low, q.high)
		}
	}
	if c.MaxBody < 1<<10 || c.MaxBody > 16<<20 {
		return Usagef("--max-body must be 1KiB to 16MiB")
	}
	return nil
}

// Limits gives the limits for a page size.
func (c *QueryLimits) Limits(pageSize int) graph.Limits {
	out := c.limits
	out.PageSize = pageSize
	return out
}
