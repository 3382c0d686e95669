package seed

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// The bounds of Options.Players.
const (
	MinPlayers = 10
	MaxPlayers = 1_000_000
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
	// Progress, if set, is called after each batch with the number of stored players.
	Progress func(done, total int)
}

func (o Options) check() error {
	if o.Players < MinPlayers || o.Players > MaxPlayers {
		return fmt.Errorf("a demo world has %d to %d players, not %d", MinPlayers, MaxPlayers, o.Players)
	}
	return nil
}

// timestamp returns Now in the precision of the store.
func (o Options) timestamp() time.Time {
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
	forRanking     = 3
	forNames       = 4
	forNews        = 10
	forGuildRecord = 11
	forMembership  = 12
	forGambits     = 13
	forHistory     = 14
	forCapture     = 15
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
