package mongo

import (
	"context"

	"gamedata/graph/model"
)

// FormerGuildsByUUID reads disbanded guilds in the order of the uuids; nil where none has one.
func (s *Store) FormerGuildsByUUID(ctx context.Context, uuids []string) ([]*model.FormerGuild, error) {
	return findInOrder(ctx, s.db.Collection(FormerGuilds), "_id", uuids,
		func(g *model.FormerGuild) string { return g.UUID })
}
