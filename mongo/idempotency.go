package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo/conn"
)

// IdempotencyKey is a key that an account used for a call that created something.
type IdempotencyKey struct {
	// ID is made of the account and the key.
	ID      string `bson:"_id"`
	Account string `bson:"account"`
	// Digest identifies the call with its input, so that a key that is used again for another is noticed.
	Digest []byte `bson:"digest"`
	// Created identifies what the call created.
	Created string    `bson:"created"`
	Expires time.Time `bson:"expires"`
}

// Once calls create and stores k with what it returns, in one transaction, and returns nil. If the key was used and has
// not expired at now, Once creates nothing and returns the stored key. Of concurrent calls with one key one creates
// something, on however many instances; create may run several times, each but the last without effect.
func (s *IdempotencyStore) Once(ctx context.Context, k IdempotencyKey, now time.Time,
	create func(context.Context) (created string, err error),
) (used *IdempotencyKey, err error) {
	keys := s.db.Collection(IdempotencyKeys)
	attempt := func(ctx context.Context) error {
		used = nil
		var stored IdempotencyKey
		known, err := keys.FindOne(ctx, withID(k.ID), &stored)
		if err != nil {
			return err
		}
		if known && now.Before(stored.Expires) {
			used = &stored
			return nil
		}
		if known { // the deletion of what has expired may be late
			if err := keys.DeleteMany(ctx, append(withID(k.ID), bson.E{Key: "expires", Value: stored.Expires})); err != nil {
				return err
			}
		}
		if k.Created, err = create(ctx); err != nil {
			return err
		}
		return keys.InsertOne(ctx, k)
	}
	for {
		if err = s.store.Transact(ctx, attempt); !conn.IsDuplicateKey(err) {
			return used, err
		}
	}
}

// DeleteOf deletes the keys of an account.
func (s *IdempotencyStore) DeleteOf(ctx context.Context, account string) error {
	return s.db.Collection(IdempotencyKeys).DeleteMany(ctx, bson.D{{Key: "account", Value: account}})
}
