package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// PlayerUUIDs lists uuids of players in rising order, at most so many, those after a uuid;
// after the empty one, from the first.
func (s *Store) PlayerUUIDs(ctx context.Context, after string, limit int) ([]string, error) {
	return uuids(ctx, s.db.Collection(players), after, limit)
}

// GuildUUIDs lists uuids of guilds as PlayerUUIDs does those of players.
func (s *Store) GuildUUIDs(ctx context.Context, after string, limit int) ([]string, error) {
	return uuids(ctx, s.db.Collection(guilds), after, limit)
}

func uuids(ctx context.Context, c *driver.Collection, after string, limit int) ([]string, error) {
	found, err := find[struct {
		UUID string `bson:"_id"`
	}](ctx, c, bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}}}},
		options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)).SetProjection(bson.D{{Key: "_id", Value: 1}}))
	if err != nil {
		return nil, err
	}
	out := make([]string, len(found))
	for i, f := range found {
		out[i] = f.UUID
	}
	return out, nil
}
