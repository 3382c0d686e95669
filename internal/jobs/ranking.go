package jobs

import (
	"cmp"
	"encoding/binary"
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

// inventRankings writes previousRanking by a function, which other instances do not have.
func (r *run) inventRankings(previous *previousRankings) error {
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		t := &task{writer: r.writer, BoardTask: ranges(of, 1)[0]}
		if err := t.writeRankings(previous); err != nil {
			return err
		}
		r.report.Rankings = t.report.Rankings
	}
	return nil
}

// positionRecord is the size of a position in the sorter: uuid, index of the board, position.
const positionRecord = 16 + 2 + 4

// writeRankings is phase 3 of a full refresh for a range of players or guilds: it sorts the positions on all boards by
// uuid and writes them as previousRanking.
func (t *task) writeRankings(previous *previousRankings) error {
	positions := t.newSorter(positionRecord)
	defer positions.close()
	boards := t.namesOf(t.Of)
	if err := t.readPositions(positions, boards); err != nil {
		return err
	}
	next, err := positions.sorted()
	if err != nil {
		return err
	}
	s := &positionStream{next: next, boards: boards}
	if err := s.advance(); err != nil {
		return err
	}
	step, seen := "ranking "+string(t.Of), 0
	for after, last := t.uuidRange(); ; {
		records, err := t.store.Standings.NextPresences(t.ctx, t.Of, after, last, batch)
		if err != nil {
			return err
		}
		var list []mongo.PreviousRanking
		for _, who := range records {
			id, ok := leaderboard.ParseUUID(who.UUID)
			if !ok || !previous.includes(t.Of, who) {
				continue
			}
			positions, err := s.of(id)
			if err != nil {
				return err
			}
			if previous.invent != nil {
				positions = previous.invent(who.UUID, positions)
			}
			list = append(list, mongo.PreviousRanking{UUID: who.UUID, At: t.now, Positions: positions})
		}
		if err := t.store.Standings.PutPreviousRankings(t.ctx, t.Of, list); err != nil {
			return err
		}
		t.report.Rankings += len(list)
		seen += len(records)
		t.Progress(step, seen, 0)
		if len(records) < batch {
			return nil
		}
		after = records[len(records)-1].UUID
	}
}

// readPositions reads the positions on boards of the uuids of a task.
func (t *task) readPositions(to *sorter, boards []string) error {
	record, index := make([]byte, positionRecord), 0
	return t.eachDirectories(boards, func(list []*mongo.Directory) error {
		pages := &pageReader{job: t.job}
		for _, d := range list {
			pages.refs = append(pages.refs, d.Pages...)
		}
		for _, d := range list {
			position := uint32(0)
			for _, ref := range d.Pages {
				page, err := pages.next()
				if err != nil {
					return err
				}
				if page == nil {
					position += uint32(ref.Count)
				}
				for i := range page.Len() {
					position++
					key := page.At(i)
					if prefix := int(binary.BigEndian.Uint16(key[8:])); prefix < t.From || prefix >= t.To {
						continue
					}
					copy(record, key[8:24])
					binary.BigEndian.PutUint16(record[16:], uint16(index))
					binary.BigEndian.PutUint32(record[18:], position)
					if err := to.add(record); err != nil {
						return err
					}
				}
			}
			index++
		}
		return nil
	})
}

// positionStream are the sorted positions of all uuids of a task.
type positionStream struct {
	next     func() ([]byte, bool, error)
	boards   []string
	ended    bool
	id       uuid.UUID
	board    int
	position int
}

// advance moves to the next position.
func (s *positionStream) advance() error {
	record, ok, err := s.next()
	if err != nil || !ok {
		s.ended = true
		return err
	}
	s.id, s.board = uuid.UUID(record), int(binary.BigEndian.Uint16(record[16:]))
	s.position = int(binary.BigEndian.Uint32(record[18:]))
	return nil
}

// of returns the positions of a uuid in the order of the boards, the best one on each; never nil. The uuids must be
// ascending.
func (s *positionStream) of(id uuid.UUID) ([]*model.RankPosition, error) {
	out := []*model.RankPosition{}
	for before := -1; !s.ended; {
		switch order := compareUUIDs(s.id, id); {
		case order > 0:
			return out, nil
		case order == 0 && s.board != before:
			out, before = append(out, &model.RankPosition{Type: s.boards[s.board], Position: s.position}), s.board
		}
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func compareUUIDs(a, b uuid.UUID) int { return cmp.Compare(string(a[:]), string(b[:])) }
