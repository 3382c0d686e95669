package simulator

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// dice draws the random numbers of a world.
type dice struct{ *rand.Rand }

// newDice also seeds with the start, so that simulating a store twice with one seed does not create the
// same newcomers.
func newDice(seed uint64, start time.Time) dice {
	return dice{rand.New(rand.NewPCG(seed, uint64(start.UnixMilli())))}
}

func (d dice) chance(probability float64) bool { return d.Float64() < probability }

// between returns a number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// about returns an integer from n/2 to 3n/2 that is n on average.
func (d dice) about(n float64) int64 {
	n *= 0.5 + d.Float64()
	whole := math.Floor(n)
	if d.chance(n - whole) {
		whole++
	}
	return int64(whole)
}

// times returns how often an event happens that happens n times on average (Poisson).
func (d dice) times(n float64) int {
	count := 0
	for left := n - d.ExpFloat64(); left > 0; left -= d.ExpFloat64() {
		count++
	}
	return count
}

// duration returns a random duration of at least a tenth of its mean.
func (d dice) duration(mean time.Duration) time.Duration {
	return (mean/10 + time.Duration(0.9*d.ExpFloat64()*float64(mean))).Truncate(time.Second)
}

// pick returns a random element.
func pick[T any](d dice, list []T) T { return list[d.IntN(len(list))] }

// uuid returns a random UUID, version 4.
func (d dice) uuid() string {
	var raw uuid.UUID
	for i := range raw {
		raw[i] = byte(d.Uint32())
	}
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	return raw.String()
}

// address returns an IP address of the ranges reserved for documentation.
func (d dice) address() string {
	if d.chance(0.5) {
		return netip.AddrFrom4([4]byte{198, 51, 100, byte(d.between(20, 250))}).String()
	}
	last := []byte{byte(d.IntN(256)), byte(d.between(1, 255))}
	return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 13: 1, 14: last[0], 15: last[1]}).String()
}
