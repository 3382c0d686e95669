package seed

import (
	"hash/fnv"

	"gamedata/graph/model"
)

// swapGroup is the size of the groups in which neighbours may have swapped positions.
const swapGroup = 8

// PreviousRankings returns a function that invents the previous positions of a player or guild from the
// current ones, equal for equal seeds. Neighbours swapped positions, so each position remains unique;
// sometimes a record was not on the board yet.
func PreviousRankings(seed uint64) func(uuid string, now []*model.RankPosition) []*model.RankPosition {
	return func(uuid string, now []*model.RankPosition) []*model.RankPosition {
		r := source(seed, forRanking, hashed(uuid))
		out := make([]*model.RankPosition, 0, len(now))
		for _, p := range now {
			if chance(r, 0.05) {
				continue
			}
			// XOR with a number below a power of two swaps the members of a group in pairs.
			place := p.Position - 1
			swap := source(seed, forRanking, hashed(p.Type)+uint64(place/swapGroup)).IntN(swapGroup)
			out = append(out, &model.RankPosition{Type: p.Type, Position: (place ^ swap) + 1})
		}
		return out
	}
}

func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
