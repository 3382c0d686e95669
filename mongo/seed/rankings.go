package seed

import (
	"context"
	"hash/fnv"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// PutPreviousRankings stores previous positions for every player and guild with current ones: near those,
// equal for equal seeds, sometimes missing. The leaderboards must be refreshed before.
func PutPreviousRankings(ctx context.Context, store *mongo.Store, seed uint64) error {
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		for after := ""; ; {
			records, err := store.NextRankings(ctx, of, after, batch)
			if err != nil {
				return err
			}
			if len(records) == 0 {
				break
			}
			after = records[len(records)-1].UUID
			list := make([]mongo.Ranking, len(records))
			for i, r := range records {
				list[i] = mongo.Ranking{UUID: r.UUID, Previous: previousRankings(seed, r)}
			}
			if err := store.PutRankings(ctx, of, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// swapGroup is the size of the groups in which neighbours may have swapped positions.
const swapGroup = 8

// previousRankings returns the previous positions of a record. Neighbours swapped positions, so each position
// remains unique; sometimes a record was not on the board yet.
func previousRankings(seed uint64, record *mongo.RankingRecord) []*model.RankPosition {
	r := source(seed, forRanking, hashed(record.UUID))
	out := make([]*model.RankPosition, 0, len(record.Ranking))
	for _, p := range record.Ranking {
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

func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
