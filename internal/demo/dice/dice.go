// Package dice draws the random numbers of the demo world.
package dice

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// Dice draw random numbers.
type Dice struct{ *rand.Rand }

// New returns the dice for a seed and a purpose: equal arguments give equal numbers.
func New(seed, purpose uint64) Dice { return Dice{rand.New(rand.NewPCG(seed, purpose))} }

// Chance returns true with a probability.
func (d Dice) Chance(probability float64) bool { return d.Float64() < probability }

// Between returns a number from low to high, both included.
func (d Dice) Between(low, high int) int { return low + d.IntN(high-low+1) }

// About returns an integer from n/2 to 3n/2 with mean n.
func (d Dice) About(n float64) int64 {
	n *= 0.5 + d.Float64()
	whole := math.Floor(n)
	if d.Chance(n - whole) {
		whole++
	}
	return int64(whole)
}

// Times returns how often an event happens whose mean is n (Poisson).
func (d Dice) Times(n float64) int {
	count := 0
	for left := n - d.ExpFloat64(); left > 0; left -= d.ExpFloat64() {
		count++
	}
	return count
}

// Duration returns a random duration of at least a tenth of its mean.
func (d Dice) Duration(mean time.Duration) time.Duration {
	return (mean/10 + time.Duration(0.9*d.ExpFloat64()*float64(mean))).Truncate(time.Second)
}

// Pick returns a random element.
func Pick[T any](d Dice, list []T) T { return list[d.IntN(len(list))] }

// UUID returns a random UUID, version 4.
func (d Dice) UUID() string {
	var id uuid.UUID
	binary.LittleEndian.PutUint64(id[:8], d.Uint64())
	binary.LittleEndian.PutUint64(id[8:], d.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// Address returns an IP address of a range reserved for documentation.
func (d Dice) Address() string { return fmt.Sprintf("2001:db8::1:%x", d.Between(1, math.MaxUint16)) }
