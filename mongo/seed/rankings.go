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

// dayBefore moves positions by a few places, further down by more.
func dayBefore(seed uint64, record *mongo.RankingRecord) []*model.RankPosition {
	h := fnv.New64a()
	h.Write([]byte(record.UUID))
	r := source(seed, forRanking, h.Sum64())
	out := make([]*model.RankPosition, 0, len(record.Ranking))
	for _, p := range record.Ranking {
		moved, new := r.IntN(4)*r.IntN(4)-3, chance(r, 0.05)
		if new {
			continue
		}
		out = append(out, &model.RankPosition{Type: p.Type, Position: max(1, p.Position+min(moved, p.Position))})
	}
	return out
}
