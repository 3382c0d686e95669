package mongo

import (
	"context"
	"iter"
	"slices"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A scan reads the records of a collection in the order of their keys, a page with each command, so that no command
// takes long, however many match.
type scan[T any] struct {
	in          *conn.Collection
	filter      bson.D
	after, last string // limit the keys; an empty last sets no bound
	size        int    // of a page
	key         func(*T) string
	fields      bson.D          // the fields to read, all if nil
	malformed   func(malformed) // called for each malformed record; may be nil
}

// pages reads all records except malformed ones. No page is empty. The caller may change a page.
func (s scan[T]) pages(ctx context.Context) iter.Seq2[[]*T, error] {
	ctx, field := conn.WithLongTimeout(ctx), describe(s.in.Name()).key()
	o := sortedBy(field).SetLimit(int64(s.size))
	if s.fields != nil {
		o.SetProjection(s.fields)
	}
	return func(yield func([]*T, error) bool) {
		for after := s.after; ; {
			found, bad, err := findAll[T](ctx, s.in, append(slices.Clone(s.filter), between(field, after, s.last)), o)
			if len(found) > 0 {
				after = s.key(found[len(found)-1])
			}
			full := err == nil && len(found)+len(bad) == s.size
			if (len(found) > 0 || err != nil) && !yield(found, err) {
				return
			}
			for _, m := range bad {
				key, _ := m.record.Lookup(field).StringValueOK()
				after = max(after, key)
				if s.malformed != nil {
					s.malformed(m)
				}
			}
			if !full {
				return
			}
		}
	}
}

// between matches records whose field is greater than after and at most last. An empty last sets no bound.
func between(field, after, last string) bson.E {
	span := bson.D{{Key: "$gt", Value: after}}
	if last != "" {
		span = append(span, bson.E{Key: "$lte", Value: last})
	}
	return bson.E{Key: field, Value: span}
}
