package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// deletionTTL is how long a deletion can be read. The schema's description of deletions states it.
const deletionTTL = 90 * 24 * time.Hour

// DeletionList selects the deletions since a time, of some types or of all.
type DeletionList struct {
	Since time.Time
	Types []string
}

// DeletionOrder is the order of deletions.
var DeletionOrder = Order{Field: "at"}

func (l DeletionList) filter() bson.D {
	out := bson.D{{Key: "at", Value: bson.D{{Key: "$gte", Value: l.Since}}}}
	if l.Types != nil {
		out = append(out, bson.E{Key: "type", Value: in(l.Types)})
	}
	return out
}

// DeletionStore reads the deletions of records.
type DeletionStore struct{ family }

// Page reads a page of deletions.
func (s *DeletionStore) Page(ctx context.Context, l DeletionList, q PageQuery) ([]*model.Deletion, bool, error) {
	q.Filter, q.Order = l.filter(), DeletionOrder
	return findPageOf[model.Deletion](ctx, s.db.Collection(Deletions), q)
}

// Keys lists the keys of records of a type that were deleted since a time.
func (s *DeletionStore) Keys(ctx context.Context, since time.Time, of string) ([]string, error) {
	found, err := find[model.Deletion](conn.WithLongTimeout(ctx), s.db.Collection(Deletions),
		DeletionList{since, []string{of}}.filter())
	return each(found, func(d *model.Deletion) string { return d.Key }), err
}

// Count counts deletions.
func (s *DeletionStore) Count(ctx context.Context, l DeletionList) (int, error) {
	return s.db.Collection(Deletions).Count(conn.WithLongTimeout(ctx), l.filter())
}
