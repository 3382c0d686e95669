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

// previousRankings says who gets a new previousRanking: all guilds and players who have played since a
// time, or, with an Invent function, everybody.
type previousRankings struct {
	since  time.Time
	invent func(uuid string, positions []*model.RankPosition) []*model.RankPosition
}

func (p *previousRankings) includes(of mongo.Ranked, who *mongo.Presence) bool {
	return of == mongo.RankedGuilds || p.invent != nil || who.Online ||
		who.LastJoin != nil && !who.LastJoin.Before(p.since)
}

// writePrevious writes the positions of the pass as previousRanking.
func (c *fullPass) writePrevious(previous *previousRankings) error {
	step := fmt.Sprintf("ranking %s", c.of)
	seen := 0
	for after := ""; ; {
		records, err := c.store.NextPresences(c.ctx, c.of, after, batch)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return nil
		}
		after = records[len(records)-1].UUID
		var list []mongo.PreviousRanking
		for _, who := range records {
			subject, ok := c.indexOf(who.UUID)
			if !ok || !previous.includes(c.of, who) {
				continue
			}
			positions := c.positions(subject)
			if previous.invent != nil {
				positions = previous.invent(who.UUID, positions)
			}
			list = append(list, mongo.PreviousRanking{UUID: who.UUID, At: c.now, Positions: positions})
		}
		if err := c.store.PutPreviousRankings(c.ctx, c.of, list); err != nil {
			return err
		}
		c.report.Rankings += len(list)
		seen += len(records)
		c.progress(step, seen, len(c.subjects))
	}
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
