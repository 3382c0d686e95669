package mongo

import (
	"context"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// idPage is the number of ids that one command reads, so that no command takes long however many
// records match.
const idPage = 10_000

// ids lists up to limit ids after one of the records that a filter matches, in order.
func (d database) ids(ctx context.Context, collection string, filter bson.D, after string, limit int) (
	[]string, error,
) {
	return d.idsBetween(ctx, collection, filter, after, "", limit)
}

// allIDs lists the ids of the records that a filter matches, in order, read in pages.
func (d database) allIDs(ctx context.Context, collection string, filter bson.D) ([]string, error) {
	return d.allIDsBetween(ctx, collection, filter, "", "")
}

// allIDsBetween is allIDs for ids after one up to last, which is unbounded if empty.
func (d database) allIDsBetween(ctx context.Context, collection string, filter bson.D, after, last string) ([]string,
	error,
) {
	var all []string
	for {
		page, err := d.idsBetween(ctx, collection, filter, after, last, idPage)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < idPage {
			return all, nil
		}
		after = page[len(page)-1]
	}
}

func (d database) idsBetween(ctx context.Context, collection string, filter bson.D, after, last string, limit int,
) ([]string, error) {
	ctx = conn.WithLongTimeout(ctx)
	type record struct {
		ID string `bson:"_id"`
	}
	found, err := find[record](ctx, d.Collection(collection), withIDs(filter, after, last),
		sortedBy("_id").SetProjection(projection("_id")).SetLimit(int64(limit)))
	if err != nil {
		return nil, err
	}
	return each(found, func(r *record) string { return r.ID }), nil
}

// withIDs limits a filter to ids after one up to last, which is unbounded if empty.
func withIDs(filter bson.D, after, last string) bson.D {
	span := bson.D{{Key: "$gt", Value: after}}
	if last != "" {
		span = append(span, bson.E{Key: "$lte", Value: last})
	}
	return append(filter[:len(filter):len(filter)], bson.E{Key: "_id", Value: span})
}
