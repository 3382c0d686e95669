package config

import (
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/ratelimit"
)

// Feed are the settings of POST /feed.
type Feed struct {
	MaxBody   ByteSize
	Retention time.Duration
	rate      int
}

// Add registers the settings as flags.
func (c *Feed) Add(flags *pflag.FlagSet) {
	c.MaxBody = 8 << 20
	flags.Var(&c.MaxBody, "feed-max-body", "largest body of POST /feed, uncompressed, 64KiB to 256MiB")
	flags.IntVar(&c.rate, "feed-rate", 600, "requests to POST /feed per minute and feed token, 1 to 1000000")
	flags.DurationVar(&c.Retention, "feed-retention", 24*time.Hour,
		"how long events sent again to POST /feed are recognised by their ids, 1m to 720h")
}

// Check validates the ranges.
func (c *Feed) Check() error {
	switch {
	case c.MaxBody < 64<<10 || c.MaxBody > 256<<20:
		return Usagef("--feed-max-body must be 64KiB to 256MiB")
	case c.rate < 1 || c.rate > highestRate:
		return Usagef("--feed-rate must be 1 to %d", highestRate)
	case c.Retention < time.Minute || c.Retention > 720*time.Hour:
		return Usagef("--feed-retention must be between 1m and 720h")
	}
	return nil
}

// Rate is the limit of each feed token.
func (c *Feed) Rate() ratelimit.Rate { return perMinute(c.rate) }
