package seed

import (
	"slices"

	"gamedata/graph/model"
)

// circle is the number of consecutive players who may be friends. It makes friends independent of the size
// of the world.
const circle = 10

// castFriends lists the friends in the cast by index. Of the friends of Salted, Brindle and Goldleaf are on
// the same world, Companion and Patchwork too but hidden, Okapi is on another world and the first Mirrored
// is offline.
var castFriends = [][2]int{{0, 1}, {0, 24}, {0, 17}, {0, 21}, {0, 2}, {0, 4}, {1, 39}, {2, 25}}

// castParty is the party of Salted, Goldleaf and Veiled, who is hidden.
var castParty = []int{0, 3, 24}

const castPartyID = "d0000000-0000-4000-8000-000000000001"

// partyBlock is the number of consecutive players who may share parties of a world.
const partyBlock = 1000

// setCompany sets friends and, for players on a world, a location and perhaps a party.
func (p *plan) setCompany(out *model.Player) {
	out.Friends = p.friends()
	if out.ActiveCharacter == nil {
		return
	}
	r := source(p.seed, forPlace, uint64(p.index))
	x, y, z := p.onLand(r)
	quarter := func(n int) float64 { return float64(n) + float64(r.IntN(4))/4 }
	out.Location = &model.Position{X: quarter(x), Y: float64(y), Z: quarter(z)}
	out.Party = p.party()
}

// friends reports whether two players are friends. It is symmetric: both find the same bit.
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
			out = append(out, randomUUID(source(p.seed, forPlayer, uint64(other))))
		}
	}
	return out
}

// CastParty returns the party of Cast[i], empty if there is none.
func CastParty(i int) string {
	if slices.Contains(castParty, i) {
		return castPartyID
	}
	return ""
}

func (p *plan) party() string {
	if p.index < len(Cast) {
		return CastParty(p.index)
	}
	if !chance(source(p.seed, forParty, uint64(p.index)), 0.6) {
		return ""
	}
	block := p.index / partyBlock * len(Worlds)
	return randomUUID(source(p.seed, forPartyID, uint64(block+slices.Index(Worlds, p.Server))))
}
