package seed

import (
	"slices"

	"gamedata/graph/model"
)

// circle is how many players, one after another, may know each other: friends are the same
// in a small world and in a large one.
const circle = 10

// castFriends are the friends in the cast, by their places in it. Those of Salted: Brindle
// and Goldleaf are near, Companion and Patchwork are near and hidden, Okapi is on another
// world and the first Mirrored offline.
var castFriends = [][2]int{{0, 1}, {0, 24}, {0, 17}, {0, 21}, {0, 2}, {0, 4}, {1, 39}, {2, 25}}

// castParty is the party of Salted, Goldleaf and, hidden, Veiled.
var castParty = []int{0, 3, 24}

const castPartyID = "d0000000-0000-4000-8000-000000000001"

// partyBlock is how many players, one after another, may meet in the parties of a world.
const partyBlock = 1000

// accompany gives a player friends, and one who plays a place and perhaps a party.
func (p *plan) accompany(out *model.Player) {
	out.Friends = p.friends()
	if out.ActiveCharacter == nil {
		return
	}
	r := source(p.seed, forPlace, uint64(p.index))
	x, y, z := onLand(r)
	quarter := func(n int) float64 { return float64(n) + float64(r.IntN(4))/4 }
	out.Location = &model.Location{X: quarter(x), Y: float64(y), Z: quarter(z)}
	out.Party = p.party()
}

// friends are mutual: both ends find the same bit.
func (p *plan) friends() []string {
	var out []string
	if p.index < len(Cast) {
		for _, pair := range castFriends {
			switch p.index {
			case pair[0]:
				out = append(out, Cast[pair[1]].UUID)
			case pair[1]:
				out = append(out, Cast[pair[0]].UUID)
			}
		}
		return out
	}
	first := p.index / circle * circle
	r := source(p.seed, forFriends, uint64(first))
	ties := r.Uint64() & r.Uint64()
	for other := max(first, len(Cast)); other < first+circle; other++ {
		a, b := min(other, p.index)-first, max(other, p.index)-first
		if a != b && ties>>(b*(b-1)/2+a)&1 == 1 {
			out = append(out, uuid(source(p.seed, forPlayer, uint64(other))))
		}
	}
	return out
}

func (p *plan) party() string {
	if p.index < len(Cast) {
		if slices.Contains(castParty, p.index) {
			return castPartyID
		}
		return ""
	}
	if !chance(source(p.seed, forParty, uint64(p.index)), 0.6) {
		return ""
	}
	block := p.index / partyBlock * len(worlds)
	return uuid(source(p.seed, forPartyID, uint64(block+slices.Index(worlds, p.server))))
}
