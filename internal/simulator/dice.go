package simulator

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"net/netip"
	"time"
)

// dice are the random numbers of a world.
type dice struct{ *rand.Rand }

// newDice depend on the moment a world begins at too: a store that is played twice by one
// seed meets no newcomer twice.
func newDice(seed uint64, start time.Time) dice {
	return dice{rand.New(rand.NewPCG(seed, uint64(start.UnixMilli())))}
}

// chance is true in share of all throws.
func (d dice) chance(share float64) bool { return d.Float64() < share }

// between is a number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// about is a whole number that is n on average, half of it to half as much again.
func (d dice) about(n float64) int64 {
	n *= 0.5 + d.Float64()
	whole := math.Floor(n)
	if d.chance(n - whole) {
		whole++
	}
	return int64(whole)
}

// times is how often something happens that happens n times on average.
func (d dice) times(n float64) int {
	count := 0
	for left := n - d.ExpFloat64(); left > 0; left -= d.ExpFloat64() {
		count++
	}
	return count
}

// lasting is a span of a mean length, never shorter than a tenth of it.
func (d dice) lasting(mean time.Duration) time.Duration {
	return (mean/10 + time.Duration(0.9*d.ExpFloat64()*float64(mean))).Truncate(time.Second)
}

// one is any of the list.
func one[T any](d dice, list []T) T { return list[d.IntN(len(list))] }

// uuid is a random uuid, version 4.
func (d dice) uuid() string {
	var raw [16]byte
	for i := range raw {
		raw[i] = byte(d.Uint32())
	}
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	s := hex.EncodeToString(raw[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// address is one of those kept for documentation: nobody's.
func (d dice) address() string {
	if d.chance(0.5) {
		return netip.AddrFrom4([4]byte{198, 51, 100, byte(d.between(20, 250))}).String()
	}
	return netip.AddrFrom16([16]byte{
		0x20, 0x01, 0x0d, 0xb8, 13: 1, 14: byte(d.IntN(256)),
		15: byte(d.between(1, 255)),
	}).String()
}
