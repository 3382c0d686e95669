package config

import (
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/ratelimit/redis"
)

// Redis holds the settings of the shared rate-limit counters.
type Redis struct {
	URL     Secret // empty: this instance counts alone
	Timeout time.Duration
}

// Add registers the settings as flags.
func (c *Redis) Add(flags *pflag.FlagSet) {
	c.URL.Add(flags, "redis-url", "Redis that all instances share for rate limits, such as redis://localhost:6379/0; "+
		"when empty each instance counts alone")
	flags.DurationVar(&c.Timeout, "redis-timeout", redis.DefaultTimeout,
		"time limit of a Redis command, 5ms to 5s; after a timeout the instance counts alone for a while")
}

// Check validates the ranges.
func (c *Redis) Check() error {
	if c.Timeout < 5*time.Millisecond || c.Timeout > 5*time.Second {
		return Usagef("--redis-timeout must be between 5ms and 5s")
	}
	return nil
}
