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
	return added(s.decided(LinkCodes).InsertOne(ctx, c))
}

// TakeLinkCode redeems a code that has not expired at the moment now, by its digest, and
// returns the player's uuid. However many try at once, one gets it; the others ErrMissing.
func (s *Store) TakeLinkCode(ctx context.Context, digest string, now time.Time) (player string, err error) {
	var c model.LinkCode
	err = s.decided(LinkCodes).FindOneAndDelete(ctx,
		bson.D{{Key: "_id", Value: digest}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}}).Decode(&c)
	if err == driver.ErrNoDocuments {
		return "", ErrMissing
	}
	return c.Player, said(err)
}
