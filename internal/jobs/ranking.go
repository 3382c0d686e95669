package jobs

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// writeRankings writes the rankings that changed.
func (c *fullPass) writeRankings(previousSince time.Time) error {
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
			subject, ok := c.indexOf(rec.UUID)
			if !ok {
				continue
			}
			next := mongo.Ranking{UUID: rec.UUID}
			now := c.positions(subject)
			if !samePositions(now, rec.Ranking) {
				next.Current = now
			}
			if c.keepsPrevious(rec, previousSince) && !samePositions(now, rec.PreviousRanking) {
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
		c.progress(step, seen, len(c.subjects))
	}
}

// keepsPrevious reports whether previousRanking is written for a record: for all guilds, and players who
// are online or joined since a time. For none when that is zero.
func (c *fullPass) keepsPrevious(rec *mongo.RankingRecord, since time.Time) bool {
	if since.IsZero() {
		return false
	}
	return c.of == mongo.RankedGuilds || rec.Online || rec.LastJoin != nil && !rec.LastJoin.Before(since)
}

// indexOf returns the index of a uuid in subjects; false for one that was added later.
func (c *fullPass) indexOf(subject string) (int, bool) {
	id, ok := leaderboard.ParseUUID(subject)
	if !ok {
		return 0, false
	}
	return slices.BinarySearchFunc(c.subjects, id, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// positions returns those of a subject in the order of the catalogue; never nil.
func (c *fullPass) positions(subject int) []*model.RankPosition {
	out := []*model.RankPosition{}
	for i := range c.boards {
		if at := c.boards[i].positions[subject]; at > 0 {
			out = append(out, &model.RankPosition{Type: c.boards[i].board.Name, Position: int(at)})
		}
	}
	return out
}

func samePositions(a, b []*model.RankPosition) bool {
	return slices.EqualFunc(a, b, func(a, b *model.RankPosition) bool { return *a == *b })
}
