package mongo

import (
	"context"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// idPage is the number of ids that one command reads, so that no command takes long, however many records match.
const idPage = 10_000

// allIDs is ids without a limit, read in pages.
func (d database) allIDs(ctx context.Context, collection string, filter bson.D, after, last string) ([]string, error) {
	var all []string
	for {
		page, err := d.ids(ctx, collection, filter, after, last, idPage)
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

// ids lists up to limit ids of the records that a filter matches, in order, after one id and up to last. An empty last
// sets no bound.
func (d database) ids(ctx context.Context, collection string, filter bson.D, after, last string, limit int) (
	[]string, error,
) {
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

// withIDs limits a filter to ids after one id and up to last. An empty last sets no bound.
func withIDs(filter bson.D, after, last string) bson.D {
	span := bson.D{{Key: "$gt", Value: after}}
	if last != "" {
		span = append(span, bson.E{Key: "$lte", Value: last})
	}
	return append(filter[:len(filter):len(filter)], bson.E{Key: "_id", Value: span})
}
