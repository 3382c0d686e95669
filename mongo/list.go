package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Some content is one list whose order is part of it, such as the map's markers: it is
// stored with its order and always replaced whole.

// placed is an entry of a list at its place.
type listEntry[T any] struct {
	Place int `bson:"_id"`
	Entry *T  `bson:"entry"`
}

// readList reads a whole list in its order.
func readList[T any](ctx context.Context, s *Store, family string) ([]*T, error) {
	found, err := readContent[listEntry[T]](ctx, s, family, "_id")
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(found))
	for i, p := range found {
		out[i] = p.Entry
	}
	return out, nil
}

// putList replaces a list.
func putList[T any](ctx context.Context, s *Store, family string, entries []*T) error {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	all := s.db.Collection(family)
	if _, err := all.DeleteMany(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: 0}}}}); err != nil {
		return translateError(err)
	}
	records := make([]*listEntry[T], len(entries))
	for i, e := range entries {
		records[i] = &listEntry[T]{i, e}
	}
	if err := insert(ctx, all, records); err != nil {
		return err
	}
	return s.raiseVersion(ctx, family)
}
