package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// FeedKey is the idempotency key of an event that was decided.
type FeedKey struct {
	ID string `bson:"_id"`
	// Digest identifies the event, so that a key that is used again for another is noticed.
	Digest []byte `bson:"digest"`
	// Rejected says why the event was not applied; nil when it was.
	Rejected *FeedRejection `bson:"rejected,omitempty"`
	Expires  time.Time      `bson:"expires"`
}

// FeedRejection is the error of an event.
type FeedRejection struct {
	Code    string `bson:"code"`
	Field   string `bson:"field,omitempty"`
	Message string `bson:"message"`
}

// FeedKeys reads the keys of events in the order of their ids; nil where an event was not decided yet or the key has
// expired.
func (s *Store) FeedKeys(ctx context.Context, ids []string, now time.Time) ([]*FeedKey, error) {
	found, err := find[FeedKey](ctx, s.majority(FeedKeys), bson.D{
		{Key: "_id", Value: in(ids)}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}},
	})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(ids, found, func(k *FeedKey) string { return k.ID }), nil
}

// insertFeedKeys adds keys. One that has expired and was not removed yet is replaced.
func (s *Store) insertFeedKeys(ctx context.Context, keys []*FeedKey) error {
	_, err := s.BulkUpdate(ctx, FeedKeys, each(keys, func(k *FeedKey) driver.WriteModel {
		filter := bson.D{{Key: "_id", Value: k.ID}}
		return driver.NewReplaceOneModel().SetFilter(filter).SetReplacement(k).SetUpsert(true)
	}))
	return err
}
