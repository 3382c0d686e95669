package mongo

import (
	"context"
	"iter"
	"slices"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// idPage is the number of ids that one command of allIDs reads.
const idPage = 10_000

// allIDs lists the ids of the records that a filter matches, in order, after one id and up to last. An empty last sets
// no bound.
func (d database) allIDs(ctx context.Context, collection string, filter bson.D, after, last string) ([]string, error) {
	var all []string
	for page, err := range d.idPages(ctx, collection, filter, after, last, idPage) {
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
	}
	return all, nil
}

// idPages is allIDs, but returns the ids page by page. No page is empty. The caller may change a page.
func (d database) idPages(ctx context.Context, collection string, filter bson.D, after, last string, size int,
) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for {
			page, err := d.ids(ctx, collection, filter, after, last, size)
			full := len(page) == size
			if full {
				after = page[size-1]
			}
			if (len(page) > 0 || err != nil) && !yield(page, err) || err != nil || !full {
				return
			}
		}
	}
}

// ids lists the first ids of allIDs, up to limit.
func (d database) ids(ctx context.Context, collection string, filter bson.D, after, last string, limit int) (
	[]string, error,
) {
	ctx = conn.WithLongTimeout(ctx)
	type record struct {
		ID string `bson:"_id"`
	}
	found, err := find[record](ctx, d.Collection(collection), append(slices.Clone(filter), between("_id", after, last)),
		sortedBy("_id").SetProjection(projection("_id")).SetLimit(int64(limit)))
	if err != nil {
		return nil, err
	}
	return each(found, func(r *record) string { return r.ID }), nil
}
