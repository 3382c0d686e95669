package jobs

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/google/uuid"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// positionRecord is the size of a position in the sorter: uuid, index of the board, position.
const positionRecord = 16 + 2 + 4

// writeRankings is phase 3 of a full refresh: it sorts the positions on all boards by uuid and writes the
// previousRanking of all guilds and of players who have played since a time.
func (r *run) writeRankings(ctx context.Context, of mongo.Ranked, since time.Time) error {
	positions := r.newSorter(positionRecord)
	defer positions.close()
	boards := r.namesOf(of)
	if err := r.readPositions(ctx, positions, boards); err != nil {
		return err
	}
	sorted, err := positions.sorted()
	if err != nil {
		return err
	}
	s := positionStream{sorted, boards}
	step, seen := "ranking "+string(of), 0
	for records, err := range r.store.Standings.Presences(ctx, of, batch) {
		if err != nil {
			return err
		}
		var list []mongo.PreviousRanking
		for _, who := range records {
			id, ok := leaderboard.ParseUUID(who.UUID)
			played := who.Online || who.LastJoin != nil && !who.LastJoin.Before(since)
			if !ok || of == mongo.RankedPlayers && !played {
				continue
			}
			positions, err := s.of(id)
			if err != nil {
				return err
			}
			positions = slices.DeleteFunc(positions, func(p *model.RankPosition) bool {
				return endedBefore(r.catalogue.Named(p.Type), who.AddedAt)
			})
			list = append(list, mongo.PreviousRanking{UUID: who.UUID, At: r.now, Positions: positions})
		}
		if err := r.store.Standings.PutPreviousRankings(ctx, of, list); err != nil {
			return err
		}
		r.report.Rankings += len(list)
		seen += len(records)
		r.Progress(step, seen, 0)
	}
	return nil
}

func (r *run) readPositions(ctx context.Context, to *sorter, boards []string) error {
	record, index := make([]byte, positionRecord), 0
	return r.eachBoard(ctx, boards, func(d *mongo.Directory, pages *pageReader) error {
		position := uint32(0)
		for _, ref := range d.Pages {
			page, err := pages.next(ctx)
			if err != nil {
				return err
			}
			if page == nil {
				position += uint32(ref.Count)
			}
			for i := range page.Len() {
				position++
				key := page.At(i)
				copy(record, key[8:24])
				binary.BigEndian.PutUint16(record[16:], uint16(index))
				binary.BigEndian.PutUint32(record[18:], position)
				if err := to.add(record); err != nil {
					return err
				}
			}
		}
		index++
		return nil
	})
}

// positionStream iterates over the positions of all uuids, sorted by uuid.
type positionStream struct {
	*stream
	boards []string
}

// of returns the best position of a uuid on each board, in board order; never nil. Calls must pass ascending uuids.
func (s positionStream) of(id uuid.UUID) ([]*model.RankPosition, error) {
	out := []*model.RankPosition{}
	for before := -1; s.record() != nil; {
		record := s.record()
		board := int(binary.BigEndian.Uint16(record[16:]))
		switch order := bytes.Compare(record[:16], id[:]); {
		case order > 0:
			return out, nil
		case order == 0 && board != before:
			position := int(binary.BigEndian.Uint32(record[18:]))
			out, before = append(out, &model.RankPosition{Type: s.boards[board], Position: position}), board
		}
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
