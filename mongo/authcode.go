package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// InsertAuthCode adds an authorization code.
func (s *Store) InsertAuthCode(ctx context.Context, c *model.AuthCode) error {
	return insertError(s.majority(AuthCodes).InsertOne(ctx, c))
}

// AuthCodesByDigest reads authorization codes in the order of their digests; nil where none
// has one. One that was used or has expired may still be there.
func (s *Store) AuthCodesByDigest(ctx context.Context, digests []string) ([]*model.AuthCode, error) {
	found, err := find[model.AuthCode](ctx, s.majority(AuthCodes), bson.D{{Key: "_id", Value: in(digests)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(digests, found, func(c *model.AuthCode) string { return c.Digest }), nil
}

// RedeemAuthCode redeems a code at the moment now for the access token t, which is not stored
// here. However many try at once, on every instance, one gets it; the others ErrNotFound, as
// when the code has expired. The record is kept as long as the token lives.
func (s *Store) RedeemAuthCode(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	err := s.majority(AuthCodes).FindOneAndUpdate(ctx,
		bson.D{{Key: "_id", Value: digest}, {Key: "used", Value: bson.D{{Key: "$exists", Value: false}}}, {
			Key:   "expires",
			Value: bson.D{{Key: "$gt", Value: now}},
		}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "used", Value: now}, {Key: "token", Value: t.Digest}, {
			Key:   "forget",
			Value: t.Expires,
		}}}}).Err()
	if err == driver.ErrNoDocuments {
		return ErrNotFound
	}
	return translateError(err)
}
