package jobs

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// rank writes the positions of a census into the records whose positions changed.
func (c *census) rank(previousSince time.Time) error {
	step := fmt.Sprintf("ranking %s", c.of)
	seen := 0
	for after := ""; ; {
		records, err := c.store.NextRankings(c.ctx, c.of, after, batch)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return nil
		}
		after = records[len(records)-1].UUID
		var list []mongo.Ranking
		for _, rec := range records {
			who, ok := c.find(rec.UUID)
			if !ok {
				continue
			}
			next := mongo.Ranking{UUID: rec.UUID}
			now := c.positions(who)
			if !samePositions(now, rec.Ranking) {
				next.Current = now
			}
			if c.inUse(rec, previousSince) && !samePositions(now, rec.PreviousRanking) {
				next.Previous = now
			}
			if next.Current != nil || next.Previous != nil {
				list = append(list, next)
			}
		}
		if err := c.store.PutRankings(c.ctx, c.of, list); err != nil {
			return err
		}
		c.report.Rankings += len(list)
		seen += len(records)
		c.progress(step, seen, len(c.who))
	}
}

// inUse tells whose positions are kept for the day: all guilds, and players who are online
// or joined since the moment; nobody's when there is none.
func (c *census) inUse(rec *mongo.RankingRecord, since time.Time) bool {
	if since.IsZero() {
		return false
	}
	return c.of == mongo.RankedGuilds || rec.Online || rec.LastJoin != nil && !rec.LastJoin.Before(since)
}

// find is the place of a uuid in who; false when it came later.
func (c *census) find(uuid string) (int, bool) {
	k, ok := leaderboard.NewKey(0, uuid, "")
	if !ok {
		return 0, false
	}
	return slices.BinarySearchFunc(c.who, [16]byte(k[8:24]), func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
}

// positions are those of one of who in the order of the catalogue; never nil.
func (c *census) positions(who int) []*model.RankPosition {
	out := []*model.RankPosition{}
	for i := range c.piles {
		if at := c.piles[i].positions[who]; at > 0 {
			out = append(out, &model.RankPosition{Type: c.piles[i].board.Name, Position: int(at)})
		}
	}
	return out
}

func samePositions(a, b []*model.RankPosition) bool {
	return slices.EqualFunc(a, b, func(a, b *model.RankPosition) bool { return *a == *b })
}
