package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// InsertToken adds a token of the feed; ErrTaken when another has its name.
func (s *FeedStore) InsertToken(ctx context.Context, t *model.FeedToken) error {
	return insertError(s.db.Collection(FeedTokens).InsertOne(ctx, t))
}

// Tokens reads all tokens of the feed, by name.
func (s *FeedStore) Tokens(ctx context.Context) ([]*model.FeedToken, error) {
	return find[model.FeedToken](ctx, s.db.Collection(FeedTokens), bson.D{}, sortedBy("_id"))
}

// TokensByDigest reads tokens in the order of their digests; nil where none has one.
func (s *FeedStore) TokensByDigest(ctx context.Context, digests []string) ([]*model.FeedToken, error) {
	return findInOrder(ctx, s.db.Collection(FeedTokens), "digest", digests,
		func(t *model.FeedToken) string { return t.Digest })
}

// TokenUsed records that a token was used.
func (s *FeedStore) TokenUsed(ctx context.Context, name string, at time.Time) error {
	return matchError(s.db.Collection(FeedTokens).UpdateOne(ctx, bson.D{{Key: "_id", Value: name}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "used", Value: at}}}}))
}

// DeleteToken deletes a token; ErrNotFound when there is none of that name.
func (s *FeedStore) DeleteToken(ctx context.Context, name string) error {
	existed, err := s.db.Collection(FeedTokens).DeleteOne(ctx, bson.D{{Key: "_id", Value: name}})
	if err == nil && !existed {
		return ErrNotFound
	}
	return err
}
