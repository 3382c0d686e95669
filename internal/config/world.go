package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/demo/seed"
)

// World holds the settings of a demo world.
type World struct {
	Players int
	Days    int
	Seed    uint64
	Time    string // RFC 3339; empty: now

	settings *Settings
}

// Add registers the settings as flags.
func (c *World) Add(flags *pflag.FlagSet) {
	s := NewSettings(flags)
	c.settings, c.Days = s, seed.DefaultDays
	s.Int(&c.Players, "players", 2000, Range[int]{Low: seed.MinPlayers, High: seed.MaxPlayers},
		"players of the demo world, {range}")
	s.Uint64Var(&c.Seed, "seed", 1, "random seed of the demo world; the same seed creates the same world")
	s.StringVar(&c.Time, "seed-time", "",
		"time for which the demo world is created, such as 2026-03-20T00:00:00Z, from 2010 to 2999; now when empty")
}

// AddDays registers a further flag that is not a setting of the service.
func (c *World) AddDays(flags *pflag.FlagSet) {
	c.settings.Int(&c.Days, "seed-days", seed.DefaultDays, Range[int]{High: seed.MaxDays}, fmt.Sprintf(
		"days of play that lead to the world, {range}; it has no past with 0 or with more than %d players", seed.MaxPlayed))
}

// Options validates the settings.
func (c *World) Options() (seed.Options, error) {
	at, err := c.at()
	o := seed.Options{Players: c.Players, Days: c.Days, Seed: c.Seed, Now: at}
	if c.Players > seed.MaxPlayed {
		o.Days = 0
	}
	return o, errors.Join(c.settings.Check(), err)
}

// at returns the time of the world. Players joined years before it, and some content ends decades after it: events
// before 2000 and times after 9999 are not valid.
func (c *World) at() (time.Time, error) {
	if c.Time == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, c.Time)
	if err != nil || at.Year() < 2010 || at.Year() > 2999 {
		return at, Usagef("--seed-time must be a time such as 2026-03-20T00:00:00Z, from 2010 to 2999")
	}
	return at, nil
}
