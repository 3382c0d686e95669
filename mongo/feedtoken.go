package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// FeedTokenStore reads and writes tokens of game servers by their names.
type FeedTokenStore struct{ plainTable[model.FeedToken] }

// All reads all tokens of the feed, by name.
func (s *FeedTokenStore) All(ctx context.Context) ([]*model.FeedToken, error) {
	return find[model.FeedToken](ctx, s.any.records(), bson.D{}, sortedBy("_id"))
}

// ByDigest reads tokens in the order of their digests; nil for an unknown digest.
func (s *FeedTokenStore) ByDigest(ctx context.Context, digests []string) ([]*model.FeedToken, error) {
	return findInOrder(ctx, s.any.records(), "digest", digests, func(t *model.FeedToken) string { return t.Digest })
}
