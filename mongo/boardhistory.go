package mongo

import (
	"context"
	"time"
)

// BoardDay names a board on a day.
type BoardDay struct {
	Board string
	Day   time.Time // its beginning, in UTC
}

// BoardDays returns a board on the days from one time to another, both included.
func BoardDays(board string, from, to time.Time) (days []BoardDay) {
	for at := from.UTC().Truncate(24 * time.Hour); !at.After(to); at = at.Add(24 * time.Hour) {
		days = append(days, BoardDay{board, at})
	}
	return days
}

// BoardTop holds the first entries of a board at the end of a day, or now. They are opaque bytes here. RefreshedAt is
// when the board was refreshed; zero in a world that began with it.
type BoardTop struct {
	BoardDay
	Entries     []byte
	RefreshedAt time.Time
}

// boardTopRecord is a BoardTop as stored, beside the records of the history.
type boardTopRecord struct {
	ID          string    `bson:"_id"`
	Entries     []byte    `bson:"entries"`
	RefreshedAt time.Time `bson:"refreshedAt,omitempty"`
	Expires     time.Time `bson:"expires"`
}

func (d BoardDay) id() string { return "board:" + d.Board + ":" + d.Day.UTC().Format(time.DateOnly) }

func boardTopID(r *boardTopRecord) string { return r.ID }

// PutTops records the first entries of boards, or replaces the entries of the same day.
func (s *BoardStore) PutTops(ctx context.Context, list []BoardTop, retention time.Duration) error {
	return replaceEach(ctx, s.db, History, each(list, func(t BoardTop) keyed {
		return keyed{t.id(), &boardTopRecord{t.id(), t.Entries, t.RefreshedAt, t.Day.Add(retention)}}
	}))
}

// Tops reads the first entries of boards with one command, in the order of the days; nil where none are recorded.
func (s *BoardStore) Tops(ctx context.Context, days []BoardDay) ([]*BoardTop, error) {
	ids := each(days, BoardDay.id)
	found, err := findInOrder(ctx, s.db.Collection(History), "_id", ids, boardTopID)
	out := make([]*BoardTop, len(found))
	for i, r := range found {
		if r != nil {
			out[i] = &BoardTop{days[i], r.Entries, r.RefreshedAt}
		}
	}
	return out, err
}
