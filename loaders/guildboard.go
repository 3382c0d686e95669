package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// RankedGuilds reads guilds in an order of their records, n from a position on.
func (set *Set) RankedGuilds(ctx context.Context, o mongo.GuildOrder, first, n int) ([]*model.Guild, error) {
	set.read.of(guildTag, cache.Everything)
	found, err := set.source.store.RankedGuilds(ctx, o, first-1, n)
	set.keepGuilds(ctx, found)
	return found, err
}

// CountRankedGuilds counts the guilds of an order of their records.
func (set *Set) CountRankedGuilds(ctx context.Context, o mongo.GuildOrder) (int, error) {
	return set.source.store.CountRankedGuilds(ctx, o)
}

// GuildsAhead counts the guilds that stand before one in an order of their records.
func (set *Set) GuildsAhead(ctx context.Context, o mongo.GuildOrder, g *model.Guild) (int, error) {
	return set.source.store.GuildsAhead(ctx, o, g)
}

// CountMembers counts the members of guilds in the order of the uuids.
func (set *Set) CountMembers(ctx context.Context, uuids []string) ([]int, error) {
	return set.source.store.CountMembers(ctx, uuids)
}
