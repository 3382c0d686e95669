package config

import (
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/history"
)

// History is how long what happened is stored.
type History struct{ history.Retention }

// Add registers the settings as flags.
func (c *History) Add(flags *pflag.FlagSet) {
	flags.DurationVar(&c.Daily, "history-retention", history.DefaultRetention.Daily,
		"how long the daily points of players, guilds and leaderboards are stored, 720h or more")
	flags.DurationVar(&c.Detailed, "history-detail-retention", history.DefaultRetention.Detailed,
		"how long the points of worlds and of ratings in seasons are stored, 24h or more")
}

// Check validates the ranges.
func (c *History) Check() error {
	switch {
	case c.Daily < 720*time.Hour:
		return Usagef("--history-retention must be 720h or more")
	case c.Detailed < 24*time.Hour:
		return Usagef("--history-detail-retention must be 24h or more")
	}
	return nil
}
