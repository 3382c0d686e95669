package seed

import (
	"context"
	"hash/fnv"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// PutPreviousRankings gives everybody who has positions those of the day before: near the
// present ones, the same for the same seed, now and then none. A refresh of the leaderboards
// computes the present ones first.
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
				list[i] = mongo.Ranking{UUID: r.UUID, Previous: dayBefore(seed, r)}
			}
			if err := store.PutRankings(ctx, of, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// swapped is how many neighbours on a board may have changed places since the day before.
const swapped = 8

// dayBefore gives a record the places it had: neighbours changed theirs with each other, so
// no place was held by two, and now and then one was not on the board yet.
func dayBefore(seed uint64, record *mongo.RankingRecord) []*model.RankPosition {
	r := source(seed, forRanking, hashed(record.UUID))
	out := make([]*model.RankPosition, 0, len(record.Ranking))
	for _, p := range record.Ranking {
		if chance(r, 0.05) {
			continue
		}
		// An exclusive or with one number below a power of two swaps a group in pairs.
		place := p.Position - 1
		swap := source(seed, forRanking, hashed(p.Type)+uint64(place/swapped)).IntN(swapped)
		out = append(out, &model.RankPosition{Type: p.Type, Position: (place ^ swap) + 1})
	}
	return out
}

func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
