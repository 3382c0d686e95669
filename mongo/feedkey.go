package mongo

import (
	"context"
	"time"
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

// Keys reads the keys of events in the order of their ids, expired ones too; nil where an event was not decided
// yet.
func (s *FeedStore) Keys(ctx context.Context, ids []string) ([]*FeedKey, error) {
	return findInOrder(ctx, s.db.Collection(FeedKeys), "_id", ids, func(k *FeedKey) string { return k.ID })
}
