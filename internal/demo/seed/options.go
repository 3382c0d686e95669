// Package seed generates the world with which the demo world begins: invented players, characters, guilds and land,
// equal for equal options, and the content of internal/demo/content. Cast lists players that demonstrate every case a
// client can meet. Only class, dungeon and raid names come from the real game.
package seed

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// The bounds of Options.
const (
	MinPlayers = 10
	MaxPlayers = 1_000_000
	// MaxPlayed is the most players of a world with a past, which is played in memory.
	MaxPlayed = 50_000
	MaxDays   = 365
)

// Options configure a demo world.
type Options struct {
	// Players is the number of players, MinPlayers to MaxPlayers. A player is the same in worlds of any
	// size, but for the position: the land of small worlds is another one.
	Players int
	// Seed of the random numbers. The cast has the same names, uuids and cases with every seed.
	Seed uint64
	// Now is the time of the world in milliseconds; the current time if zero.
	Now time.Time
	// Days is how many days of play led to the world, 0 to MaxDays. A world without them has no past.
	Days int
	// Progress, if set, is called often with the progress of a step.
	Progress func(step string, done, total int)

	present   time.Time // when the past ends
	newcomers int       // players who join in the past
}

// DefaultDays is the past of a demo world: longer than a season.
const DefaultDays = 90

// NewcomerEvery is the time between two players who join for the first time.
func NewcomerEvery(players int) time.Duration { return 2000 * day / time.Duration(max(1, players)) }

// NewcomerEvery is the time between two newcomers of a past that begins with the options: all of them come in it.
func (o Options) NewcomerEvery() time.Duration {
	return o.present.Sub(o.Now) / time.Duration(o.newcomers+1)
}

// Beginning returns the options of the world with which the past of another one begins: as it was some days before,
// without the players who joined since. It is the same world if there are no such days.
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

// Purposes of random sources, so that no two draw the same numbers. The numbers never change: they decide what a seed
// gives.
const (
	forPlayer      = 1
	forGuild       = 2
	forNames       = 4
	forNews        = 10
	forGuildRecord = 11
	forMembership  = 12
	forGambits     = 13
	forTerritory   = 0x40
	forFriends     = 0x43
	forParty       = 0x44
	forPartyID     = 0x45
	forPlace       = 0x46
	forRealms      = 0x47
)

// source returns the random numbers of the nth thing of a kind. They depend on nothing else.
func source(seed, kind, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed^kind<<56, n*0x9E3779B97F4A7C15+kind))
}

// between returns a number from low to high, both included.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// chance returns true with a probability.
func chance(r *rand.Rand, share float64) bool { return r.Float64() < share }

// pick returns a random element.
func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// weighted returns a random index, with the probabilities given by weights.
func weighted(r *rand.Rand, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	for i, w := range weights {
		n -= w
		if n < 0 {
			return i
		}
	}
	return len(weights) - 1
}
