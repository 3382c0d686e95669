package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// ErrLeaseLost says that work was refused because somebody else took the lease since.
var ErrLeaseLost = errors.New("another instance took over")

// Lease is the right to do some work alone until a moment. Its record stays for ever: Epoch
// rises with every holder, so what a late one still writes can be told and refused.
type Lease struct {
	Name   string    `bson:"_id"`
	Holder string    `bson:"holder"`
	Until  time.Time `bson:"until"`
	Epoch  int64     `bson:"epoch"`
}

// TakeLease takes a lease that nobody holds at the moment now; nil when somebody does.
func (s *Store) TakeLease(ctx context.Context, name, holder string, now, until time.Time) (*Lease, error) {
	var l Lease
	err := s.db.Collection(Leases).FindOneAndUpdate(ctx,
		bson.D{{Key: "_id", Value: name}, {Key: "until", Value: bson.D{{Key: "$lte", Value: now}}}},
		bson.D{
			{Key: "$set", Value: bson.D{{Key: "holder", Value: holder}, {Key: "until", Value: until}}},
			{Key: "$inc", Value: bson.D{{Key: "epoch", Value: int64(1)}}},
		},
		options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&l)
	if driver.IsDuplicateKeyError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, translateError(err)
	}
	return &l, nil
}

// ExtendLease moves the end of a lease that is still held: later to go on, into the past to
// give it up. ErrLeaseLost when it is not held any more.
func (s *Store) ExtendLease(ctx context.Context, l *Lease, until time.Time) error {
	r, err := s.db.Collection(Leases).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: l.Name}, {Key: "epoch", Value: l.Epoch}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: until}}}})
	if err != nil {
		return translateError(err)
	}
	if r.MatchedCount == 0 {
		return ErrLeaseLost
	}
	return nil
}
