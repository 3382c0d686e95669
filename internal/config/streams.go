package config

import (
	"github.com/spf13/pflag"

	"gamedata/internal/httpapi"
)

// Streams are the limits of open streams.
type Streams struct{ max, perCaller int }

// Add registers the settings as flags.
func (c *Streams) Add(flags *pflag.FlagSet) {
	flags.IntVar(&c.max, "streams", httpapi.DefaultMaxStreams,
		"streams of events that an instance serves at once, 1 to 1000000")
	flags.IntVar(&c.perCaller, "streams-per-caller", httpapi.DefaultStreamsOfCaller,
		"streams of one caller, counted like rate limits, 1 to 1000000")
}

// Check validates the ranges.
func (c *Streams) Check() error {
	for _, n := range []int{c.max, c.perCaller} {
		if n < 1 || n > 1_000_000 {
			return Usagef("--streams and --streams-per-caller must be 1 to 1000000")
		}
	}
	return nil
}

// Options are the limits.
func (c *Streams) Options() httpapi.StreamOptions {
	return httpapi.StreamOptions{Max: c.max, PerCaller: c.perCaller}
}
