package mongo

import "time"

// FeedKey is the idempotency key of an event that was applied or rejected. An expired one may still be stored.
type FeedKey struct {
	ID string `bson:"_id"`
	// Digest identifies the event, to detect a key that is reused for another event.
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
