package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// InsertFeedToken adds a token of the feed; ErrTaken when another has its name.
func (s *Store) InsertFeedToken(ctx context.Context, t *model.FeedToken) error {
	return insertError(s.majority(FeedTokens).InsertOne(ctx, t))
}

// FeedTokens reads all tokens of the feed, by name.
func (s *Store) FeedTokens(ctx context.Context) ([]*model.FeedToken, error) {
	return find[model.FeedToken](ctx, s.majority(FeedTokens), bson.D{}, sortedBy("_id"))
}

// FeedTokensByDigest reads tokens in the order of their digests; nil where none has one.
func (s *Store) FeedTokensByDigest(ctx context.Context, digests []string) ([]*model.FeedToken, error) {
	return findInOrder(ctx, s.majority(FeedTokens), "digest", digests, func(t *model.FeedToken) string { return t.Digest })
}

// FeedTokenUsed records that a token was used.
func (s *Store) FeedTokenUsed(ctx context.Context, name string, at time.Time) error {
	return matchError(s.majority(FeedTokens).UpdateOne(ctx, bson.D{{Key: "_id", Value: name}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "used", Value: at}}}}))
}

// DeleteFeedToken deletes a token; ErrNotFound when there is none of that name.
func (s *Store) DeleteFeedToken(ctx context.Context, name string) error {
	r, err := s.majority(FeedTokens).DeleteOne(ctx, bson.D{{Key: "_id", Value: name}})
	if err == nil && r.DeletedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}
