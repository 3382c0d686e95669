package mongo

import (
	"context"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// BoardTop is the first entries of a board at the end of a day, or now. They are opaque bytes here.
type BoardTop struct {
	Board   string
	Day     time.Time
	Entries []byte
}

// boardTopRecord is a BoardTop as stored, beside the records of the history.
type boardTopRecord struct {
	ID      string    `bson:"_id"`
	Entries []byte    `bson:"entries"`
	Expires time.Time `bson:"expires"`
}

func boardTopID(board string, at time.Time) string {
	return "board:" + board + ":" + at.UTC().Format(time.DateOnly)
}

// PutTops records the first entries of boards, or replaces those of the same day.
func (s *BoardStore) PutTops(ctx context.Context, list []BoardTop, retention time.Duration) error {
	for len(list) > 0 {
		some := list[:min(len(list), maxHistoryWrites)]
		list = list[len(some):]
		_, err := s.db.bulkUpdate(ctx, History, each(some, func(t BoardTop) driver.WriteModel {
			r := boardTopRecord{boardTopID(t.Board, t.Day), t.Entries, t.Day.Add(retention)}
			return driver.NewReplaceOneModel().SetUpsert(true).SetFilter(bson.D{{Key: "_id", Value: r.ID}}).SetReplacement(r)
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// Tops reads the first entries of a board on the days from one time to another, both included, in the order of
// time. It is one command.
func (s *BoardStore) Tops(ctx context.Context, board string, from, to time.Time) ([]BoardTop, error) {
	var ids []string
	for at := from.UTC().Truncate(24 * time.Hour); !at.After(to); at = at.Add(24 * time.Hour) {
		ids = append(ids, boardTopID(board, at))
	}
	found, err := find[boardTopRecord](ctx, s.db.Collection(History), withID(in(ids)), sortedBy("_id"))
	if err != nil {
		return nil, err
	}
	out := make([]BoardTop, 0, len(found))
	for _, r := range found {
		at, err := time.Parse(time.DateOnly, r.ID[strings.LastIndexByte(r.ID, ':')+1:])
		if err == nil { // others are malformed
			out = append(out, BoardTop{board, at, r.Entries})
		}
	}
	return out, nil
}
