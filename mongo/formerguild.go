package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// FormerByUUID reads disbanded guilds in the order of the uuids; nil where none has one.
func (s *GuildStore) FormerByUUID(ctx context.Context, uuids []string) ([]*model.FormerGuild, error) {
	return findInOrder(ctx, s.db.Collection(FormerGuilds), "_id", uuids,
		func(g *model.FormerGuild) string { return g.UUID })
}

// FormerUUIDs lists up to limit disbanded guilds after a uuid, in order.
func (s *GuildStore) FormerUUIDs(ctx context.Context, after string, limit int) ([]string, error) {
	return s.db.ids(ctx, FormerGuilds, bson.D{}, after, limit)
}
