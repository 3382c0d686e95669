package config

import (
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/demo/seed"
	"gamedata/internal/demo/simulator"
)

// World says which demo world to create.
type World struct {
	Players int
	Seed    uint64
	Time    string // RFC 3339; empty: now
}

// Add registers the settings as flags.
func (c *World) Add(flags *pflag.FlagSet) {
	flags.IntVar(&c.Players, "players", 2000, "players of the demo world, 10 to 1000000")
	flags.Uint64Var(&c.Seed, "seed", 1, "random seed of the demo world; the same seed creates the same world")
	flags.StringVar(&c.Time, "seed-time", "",
		"time for which the demo world is created, such as 2026-03-20T00:00:00Z; now when empty")
	setGroup(flags, groupDemo, "players", "seed", "seed-time")
}

// Options validates the settings.
func (c *World) Options() (seed.Options, error) {
	o := seed.Options{Players: c.Players, Seed: c.Seed, Now: time.Now()}
	if c.Players < seed.MinPlayers || c.Players > seed.MaxPlayers {
		return o, Usagef("--players must be %d to %d", seed.MinPlayers, seed.MaxPlayers)
	}
	if c.Time != "" {
		t, err := time.Parse(time.RFC3339, c.Time)
		if err != nil {
			return o, Usagef("--seed-time must be a time such as 2026-03-20T00:00:00Z")
		}
		o.Now = t
	}
	return o, nil
}

// Simulation says how `gamedata simulate` plays the game.
type Simulation struct {
	Speed    float64
	Seed     uint64
	Duration time.Duration
	Start    string // RFC 3339; empty: now
	Active   int
}

// Add registers the settings as flags.
func (c *Simulation) Add(flags *pflag.FlagSet) {
	flags.Float64Var(&c.Speed, "speed", 60, "speed of the game clock, 0.1 to 10000; 0 runs as fast as the store allows")
	flags.Uint64Var(&c.Seed, "seed", 1, "random seed of the events")
	flags.DurationVar(&c.Duration, "duration", 0, "game time after which to end; 0 runs until interrupted")
	flags.StringVar(&c.Start, "start", "", "game time at the beginning, such as 2026-03-20T00:00:00Z; now when empty")
	flags.IntVar(&c.Active, "active", simulator.DefaultPlayers, "maximum number of active players, 1 to 100000")
}

// Options validates the settings. onHour is called after each hour of game time.
func (c *Simulation) Options(onHour func(simulator.Hour)) (simulator.Options, error) {
	o := simulator.Options{
		OnHour: onHour, Seed: c.Seed, Speed: c.Speed, Duration: c.Duration, Players: c.Active, Exclude: seed.CastUUIDs(),
	}
	switch {
	case c.Speed != 0 && !(c.Speed >= 0.1 && c.Speed <= 10_000):
		return o, Usagef("--speed must be 0, or 0.1 to 10000")
	case c.Duration < 0:
		return o, Usagef("--duration must not be negative")
	case c.Active < 1 || c.Active > 100_000:
		return o, Usagef("--active must be 1 to 100000")
	}
	if c.Start != "" {
		t, err := time.Parse(time.RFC3339, c.Start)
		if err != nil {
			return o, Usagef("--start must be a time such as 2026-03-20T00:00:00Z")
		}
		o.Start = t
	}
	return o, nil
}
