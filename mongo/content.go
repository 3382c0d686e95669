package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Content is small, changes seldom and is read whole. Each of its collections has a version that
// every write raises, so that a process that caches one can check it with one small read.

// versionsID is the id of the record of all versions.
const versionsID = "content"

// Versions reads the versions of the content collections by name. A collection that was never
// written is missing.
func (s *Store) Versions(ctx context.Context) (map[string]int64, error) {
	var record struct {
		Families map[string]int64 `bson:"families"`
	}
	err := s.db.Collection(Versions).FindOne(ctx, bson.D{{Key: "_id", Value: versionsID}}).Decode(&record)
	if errors.Is(err, driver.ErrNoDocuments) {
		return nil, nil
	}
	return record.Families, translateError(err)
}

// raiseVersion raises the version of a collection and purges it from all caches.
func (s *Store) raiseVersion(ctx context.Context, collection string) error {
	_, err := s.db.Collection(Versions).UpdateOne(ctx, bson.D{{Key: "_id", Value: versionsID}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "families." + collection, Value: int64(1)}}}},
		options.UpdateOne().SetUpsert(true))
	if err != nil {
		return translateError(err)
	}
	return s.Purge(ctx, "content:"+collection)
}

// readContent reads a whole collection in its order.
func readContent[T any](ctx context.Context, s *Store, collection string) ([]*T, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	return find[T](ctx, s.db.Collection(collection), bson.D{}, sortedBy(describe(collection).sort()...))
}

// putContent replaces records by key, or adds them, and raises the version.
func putContent[T any, K string | int](ctx context.Context, s *Store, collection string, records []*T,
	key func(*T) K,
) error {
	if len(records) == 0 {
		return nil
	}
	if err := put(ctx, s, collection, records, key); err != nil {
		return err
	}
	return s.raiseVersion(ctx, collection)
}

// Some content is one list whose order matters, such as the markers of the map. Its entries are
// stored with their position and always replaced together.

type listEntry[T any] struct {
	Position int `bson:"_id"`
	Entry    *T  `bson:"entry"`
}

// readList reads a list in its order.
func readList[T any](ctx context.Context, s *Store, collection string) ([]*T, error) {
	found, err := readContent[listEntry[T]](ctx, s, collection)
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(found))
	for i, e := range found {
		out[i] = e.Entry
	}
	return out, nil
}

// putList replaces a list.
func putList[T any](ctx context.Context, s *Store, collection string, list []*T) error {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	c := s.db.Collection(collection)
	if _, err := c.DeleteMany(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: 0}}}}); err != nil {
		return translateError(err)
	}
	entries := make([]*listEntry[T], len(list))
	for i, e := range list {
		entries[i] = &listEntry[T]{i, e}
	}
	if err := insert(ctx, c, entries); err != nil {
		return err
	}
	return s.raiseVersion(ctx, collection)
}

// SetMark stores a small fact about the store itself, such as how it was seeded.
func (s *Store) SetMark(ctx context.Context, key string, value any) error {
	_, err := s.db.Collection(Marks).ReplaceOne(ctx, bson.D{{Key: "_id", Value: key}},
		bson.D{{Key: "_id", Value: key}, {Key: "value", Value: value}}, options.Replace().SetUpsert(true))
	return translateError(err)
}

// ReadMark reads a mark into value, a pointer, and reports whether there is one.
func (s *Store) ReadMark(ctx context.Context, key string, value any) (bool, error) {
	var record struct {
		Value bson.RawValue `bson:"value"`
	}
	err := s.db.Collection(Marks).FindOne(ctx, bson.D{{Key: "_id", Value: key}}).Decode(&record)
	if errors.Is(err, driver.ErrNoDocuments) {
		return false, nil
	}
	if err != nil {
		return false, translateError(err)
	}
	return true, record.Value.Unmarshal(value)
}

// DeleteMark deletes a mark.
func (s *Store) DeleteMark(ctx context.Context, key string) error {
	_, err := s.db.Collection(Marks).DeleteOne(ctx, bson.D{{Key: "_id", Value: key}})
	return translateError(err)
}
