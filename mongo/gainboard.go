package mongo

import (
	"context"
	"time"

	"gamedata/graph/model"
)

// GainBoardKey names the players or guilds who gained most of a metric in a period.
type GainBoardKey struct {
	Of     Recorded
	Metric string
	Period model.Period
	From   time.Time // the beginning of the period
}

func (k GainBoardKey) id() string {
	return "gains:" + string(k.Of) + ":" + string(k.Period) + ":" + k.From.UTC().Format(time.DateOnly) + ":" + k.Metric
}

// GainBoard has the first entries of a board of gains, as opaque bytes. Final says that the period is over.
type GainBoard struct {
	ID      string    `bson:"_id"`
	Entries []byte    `bson:"entries"`
	At      time.Time `bson:"at"`
	Final   bool      `bson:"final"`
	Expires time.Time `bson:"expires"`
}

// Gains reads gain boards with one command, in the order of the keys; nil where there is none.
func (s *BoardStore) Gains(ctx context.Context, keys []GainBoardKey) ([]*GainBoard, error) {
	return findInOrder(ctx, s.db.Collection(History), "_id", each(keys, GainBoardKey.id),
		func(b *GainBoard) string { return b.ID })
}

// PutGains writes boards of gains, in the order of the keys.
func (s *BoardStore) PutGains(ctx context.Context, keys []GainBoardKey, boards []GainBoard) error {
	for i := range boards {
		boards[i].ID = keys[i].id()
	}
	return replaceEach(ctx, s.db, History, each(boards, func(b GainBoard) keyed { return keyed{b.ID, b} }))
}
