package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// InsertLinkCode adds a code that links a player to an account.
func (s *Store) InsertLinkCode(ctx context.Context, c *model.LinkCode) error {
	return insertError(s.majority(LinkCodes).InsertOne(ctx, c))
}

// RedeemLinkCode redeems a code that has not expired at the moment now, by its digest, and
// returns the player's uuid. However many try at once, one gets it; the others ErrNotFound.
func (s *Store) RedeemLinkCode(ctx context.Context, digest string, now time.Time) (player string, err error) {
	var c model.LinkCode
	err = s.majority(LinkCodes).FindOneAndDelete(ctx,
		bson.D{{Key: "_id", Value: digest}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}}).Decode(&c)
	if err == driver.ErrNoDocuments {
		return "", ErrNotFound
	}
	return c.Player, translateError(err)
}
