// Package seed makes the initial demo world: invented players, characters, guilds and land, equal for equal options,
// and the content of internal/demo/content. Facts that several records share, such as guild raids, come from playing
// the events of game servers. Cast lists players that demonstrate every case a client can meet. Only class, dungeon and
// raid names come from the real game.
package seed

import (
	"fmt"
	"time"

	"gamedata/internal/demo/dice"
)

// The bounds of Options.
const (
	MinPlayers = 10
	MaxPlayers = 1_000_000
	// MaxPlayed is the maximum number of players in a world with a past, which is played in memory.
	MaxPlayed = 50_000
	MaxDays   = 365
)

const day = 24 * time.Hour

// Week is the time of a weekly objective. The zero time was a Monday.
const Week = 7 * day

// Options configure a demo world.
type Options struct {
	// Players is the number of players, MinPlayers to MaxPlayers.
	Players int
	// Seed of the random numbers. The cast has the same names, uuids and cases with every seed.
	Seed uint64
	// Now is the time of the world in milliseconds; the current time if zero.
	Now time.Time
	// Days is how many days of play led to the world, 0 to MaxDays. With 0 days the world has no past.
	Days int
	// Progress, if set, is called often with the progress of a step.
	Progress func(step string, done, total int)

	present   time.Time // when the past ends
	newcomers int       // players who join in the past
}

// DefaultDays is the length of a demo world's past: longer than a season.
const DefaultDays = 90

// NewcomerEvery is the time between two players who join for the first time.
func NewcomerEvery(players int) time.Duration { return 2000 * day / time.Duration(max(1, players)) }

// NewcomerEvery is the time between two newcomers of a past that begins with the options; all newcomers join within it.
func (o Options) NewcomerEvery() time.Duration {
	return o.present.Sub(o.Now)/time.Duration(o.newcomers+1) + 1 // rounded up: the next one comes later
}

// Beginning returns the options of the world at the beginning of the past: Days earlier, without the players who joined
// since. Without a past it returns the same world.
func (o Options) Beginning() Options {
	o.present = o.Timestamp()
	past := time.Duration(o.Days) * day
	o.Now = o.present.Add(-past)
	o.newcomers = min(int(past/NewcomerEvery(o.Players)), o.Players-MinPlayers)
	o.Players -= o.newcomers
	return o
}

// Check reports options out of bounds.
func (o Options) Check() error {
	switch {
	case o.Players < MinPlayers || o.Players > MaxPlayers:
		return fmt.Errorf("a demo world has %d to %d players, not %d", MinPlayers, MaxPlayers, o.Players)
	case o.Days < 0 || o.Days > MaxDays:
		return fmt.Errorf("the past of a demo world has 0 to %d days, not %d", MaxDays, o.Days)
	case o.Days > 0 && o.Players > MaxPlayed:
		return fmt.Errorf("a demo world with a past has at most %d players, not %d", MaxPlayed, o.Players)
	}
	return nil
}

// Timestamp returns Now in the precision of the store.
func (o Options) Timestamp() time.Time {
	now := o.Now
	if now.IsZero() {
		now = time.Now()
	}
	return now.UTC().Truncate(time.Millisecond)
}

// The purposes of dice, so that no two of them draw the same numbers.
const (
	forPlayer = iota + 1
	forFriends
	forGuilds
	forTerritory
	forPast
)

// dice returns the dice for the nth thing of a kind.
func (o Options) dice(kind, n uint64) dice.Dice {
	return dice.New(o.Seed^kind<<56, n*0x9E3779B97F4A7C15+kind)
}
