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

// Options say which world to make.
type Options struct {
	// Players is how many, MinPlayers to MaxPlayers. A player is the same in a small world
	// and in a large one.
	Players int
	// Seed chooses the world. The cast keeps its names, uuids and cases in every one.
	Seed uint64
	// Now is the moment the world stands at, to the millisecond; the present when zero.
	Now time.Time
	// Progress, when set, is told after each batch how many players are stored.
	Progress func(done, total int)
}

func (o Options) check() error {
	if o.Players < MinPlayers || o.Players > MaxPlayers {
		return fmt.Errorf("a demo world has %d to %d players, not %d", MinPlayers, MaxPlayers, o.Players)
	}
	return nil
}

// moment is Now as records can hold it.
func (o Options) moment() time.Time {
	now := o.Now
	if now.IsZero() {
		now = time.Now()
	}
	return now.UTC().Truncate(time.Millisecond)
}

// What a source of random numbers is for, so that no two draw the same ones.
const (
	forPlayer uint64 = iota + 1
	forGuild
	forRanking
	forNames
	forBuild
	forTree
	forItem
	forAspect
	forDiscovery
	forNews
	forGuildRecord
	forMembership
	forGambits
)

// source gives the random numbers of the nth thing of a kind: they depend on nothing else.
func source(seed, kind, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed^kind<<56, n*0x9E3779B97F4A7C15+kind))
}

// between is a number from low to high, both included.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// chance is true in share of all draws.
func chance(r *rand.Rand, share float64) bool { return r.Float64() < share }

// one is any of the list.
func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// weighted is an index of weights, each as often as its weight says.
func weighted(r *rand.Rand, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return len(weights) - 1
}
