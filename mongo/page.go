package mongo

import (
	"context"
	"slices"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Order is an order of the records of a collection: by a field, then by id, ascending. An index must have the field
// and the id, after the fields that a filter fixes.
type Order struct {
	// Field is a field that every listed record has; empty to order by id.
	Field      string
	Descending bool
	// IDsDescending orders the ids the other way, so that one index serves an order and its reverse.
	IDsDescending bool
}

// Position is the position of a record in an Order. A page begins after it even if the record is gone.
type Position struct {
	// Value is the value of the order's field.
	Value any    `bson:"v,omitempty"`
	ID    string `bson:"i"`
}

// PageQuery selects a page of records.
type PageQuery struct {
	Filter bson.D
	Order  Order
	// After is the position after which the page begins; nil for the first page.
	After *Position
	// Backward reads backwards, from After or from the end of the list. The records are still returned in the order of
	// the list.
	Backward bool
	Limit    int
	// Projection selects the fields to read; all if nil.
	Projection bson.D
}

// sort is the order in which the records are read.
func (q PageQuery) sort() bson.D {
	direction := map[bool]int{false: 1, true: -1}
	id := bson.E{Key: "_id", Value: direction[q.Order.IDsDescending != q.Backward]}
	if q.Order.Field == "" {
		return bson.D{id}
	}
	return bson.D{{Key: q.Order.Field, Value: direction[q.Order.Descending != q.Backward]}, id}
}

// ranges returns the parts of the list after After, in reading order. Each is one range of an index, unlike a condition
// with $or, so a page costs the same wherever it begins.
func (q PageQuery) ranges() []bson.D {
	filter := func(more ...bson.E) bson.D { return append(slices.Clone(q.Filter), more...) }
	beyond := func(field string, descending bool, value any) bson.E {
		operator := "$gt"
		if descending {
			operator = "$lt"
		}
		return bson.E{Key: field, Value: bson.D{{Key: operator, Value: value}}}
	}
	switch {
	case q.After == nil:
		return []bson.D{filter()}
	case q.Order.Field == "":
		return []bson.D{filter(beyond("_id", q.Order.IDsDescending != q.Backward, q.After.ID))}
	}
	return []bson.D{
		filter(bson.E{Key: q.Order.Field, Value: q.After.Value},
			beyond("_id", q.Order.IDsDescending != q.Backward, q.After.ID)),
		filter(beyond(q.Order.Field, q.Order.Descending != q.Backward, q.After.Value)),
	}
}

// findPageOf reads a page of records, with two commands at most. more says whether records follow it in the direction
// read. Malformed records are left out: a page can have fewer than Limit although more follow.
func findPageOf[T any](ctx context.Context, c *conn.Collection, q PageQuery) (page []*T, more bool, err error) {
	read := 0
	for _, filter := range q.ranges() {
		if read > q.Limit {
			break
		}
		o := options.Find().SetSort(q.sort()).SetLimit(int64(q.Limit + 1 - read))
		if q.Projection != nil {
			o.SetProjection(q.Projection)
		}
		found, bad, err := findAll[T](ctx, c, filter, o)
		if err != nil {
			return nil, false, err
		}
		page, read = append(page, found...), read+len(found)+len(bad)
	}
	more = read > q.Limit
	if len(page) > q.Limit {
		page = page[:q.Limit]
	}
	if q.Backward {
		slices.Reverse(page)
	}
	return page, more, nil
}
