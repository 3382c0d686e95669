package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Content is small, changes seldom and is read whole. Each family has a version that
// every write raises, so that a process that keeps a copy can tell with one small read
// whether it is still right.

// versionsID is the one record that holds the versions of all families.
const versionsID = "content"

// Versions reads the version of every content family by collection name; a family never
// written is missing.
func (s *Store) Versions(ctx context.Context) (map[string]int64, error) {
	var record struct {
		Families map[string]int64 `bson:"families"`
	}
	err := s.db.Collection(Versions).FindOne(ctx, bson.D{{Key: "_id", Value: versionsID}}).Decode(&record)
	if err == driver.ErrNoDocuments {
		return nil, nil
	}
	return record.Families, translateError(err)
}

// raiseVersion tells that a family was written, and purges it.
func (s *Store) raiseVersion(ctx context.Context, family string) error {
	_, err := s.db.Collection(Versions).UpdateOne(ctx, bson.D{{Key: "_id", Value: versionsID}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "families." + family, Value: int64(1)}}}},
		options.UpdateOne().SetUpsert(true))
	if err != nil {
		return translateError(err)
	}
	return s.Purge(ctx, "content:"+family)
}

// readContent reads a whole family in the order of a field.
func readContent[T any](ctx context.Context, s *Store, family string, order ...string) ([]*T, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	sort := bson.D{}
	for _, f := range order {
		sort = append(sort, bson.E{Key: f, Value: 1})
	}
	return find[T](ctx, s.db.Collection(family), bson.D{}, options.Find().SetSort(sort))
}

// putContent replaces records of a family by key, or adds them, and raises its version.
func putContent[T any, K string | int](ctx context.Context, s *Store, family, field string, records []*T,
	key func(*T) K,
) error {
	if len(records) == 0 {
		return nil
	}
	if err := put(ctx, s.db.Collection(family), field, records, key); err != nil {
		return err
	}
	return s.raiseVersion(ctx, family)
}

// SetMark keeps a small fact about the store itself, such as how it was seeded.
func (s *Store) SetMark(ctx context.Context, key string, value any) error {
	_, err := s.db.Collection(Marks).ReplaceOne(ctx, bson.D{{Key: "_id", Value: key}},
		bson.D{{Key: "_id", Value: key}, {Key: "value", Value: value}}, options.Replace().SetUpsert(true))
	return translateError(err)
}

// ReadMark reads a fact kept by Mark into value, a pointer; false when there is none.
func (s *Store) ReadMark(ctx context.Context, key string, value any) (bool, error) {
	var record struct {
		Value bson.RawValue `bson:"value"`
	}
	err := s.db.Collection(Marks).FindOne(ctx, bson.D{{Key: "_id", Value: key}}).Decode(&record)
	if err == driver.ErrNoDocuments {
		return false, nil
	}
	if err != nil {
		return false, translateError(err)
	}
	return true, record.Value.Unmarshal(value)
}
