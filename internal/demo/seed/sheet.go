package seed

import (
	"math/rand/v2"
	"net/netip"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

func (p *plan) drawClass() class { return class(p.r.IntN(len(model.ClassIDs))) }

func characterCount(r *rand.Rand) int { return weighted(r, []int{4, 34, 27, 15, 9, 6, 5}) }

// sheet returns a plain character of a class and level.
func (p *plan) sheet(class class, level int) sheet {
	return sheet{UUID: randomUUID(p.r), Class: class, Level: level, Unlocked: 1, Hours: p.hours(level)}
}

// hours returns a plausible playtime for a level: at most a twelfth of the time between the first and the
// last join, so that all characters fit into it.
func (p *plan) hours(level int) float64 {
	return min(float64(level*level)/20*(0.3+p.r.ExpFloat64()), (p.age-p.away).Hours()/12)
}

// combinations are lists of gamemodes.
var combinations = content.Records[[]string]("gamemodes.json")

func (p *plan) randomSheet() sheet {
	r := p.r
	s := p.sheet(p.drawClass(), 1)
	if !chance(r, 0.08) {
		s.Level = min(106, 1+int(106*(1-r.Float64()*r.Float64())))
		s.Hours = p.hours(s.Level)
	}
	s.Reskin = p.Support != "" && chance(r, 0.5)
	if chance(r, 0.1) {
		s.Nickname = pick(r, nicknames)
	}
	if chance(r, 0.15) {
		s.Modes = pick(r, combinations)
		s.Died = s.Modes[0] == hardcore && chance(r, 0.5)
	}
	s.PreEconomy = p.Veteran && chance(r, 0.3)
	if chance(r, 0.02) {
		s.Removed = []string{pick(r, removable)}
	}
	switch {
	case chance(r, 0.05):
		s.Unlocked = 0
	case chance(r, 0.2):
		s.Unlocked = r.Float64()
	}
	s.NoRaids = chance(r, 0.3)
	_, _ = r.Float64(), r.Float64() // keeps existing seeds stable: earlier versions drew two numbers here
	return s
}

// someAddress returns an address of the ranges for documentation; sometimes two players share one.
func someAddress(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return netip.AddrFrom4([4]byte{192, 0, 2, byte(between(r, 20, 250))}).String()
	case 1:
		return netip.AddrFrom4([4]byte{198, 51, 100, byte(between(r, 20, 250))}).String()
	}
	return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 14: byte(r.IntN(256)), 15: byte(between(r, 1, 255))}).String()
}
