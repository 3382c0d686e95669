package resolvers

import (
	"context"
	"strconv"

	"gamedata/graph/model"
)

func init() {
	nodeReaders["Guild"] = eachNode(func(_ *root, ctx context.Context, key string) (*model.Guild, error) {
		return guildByUUID(ctx, key)
	})
	nodeReaders["GuildMember"] = eachNode(func(_ *root, ctx context.Context, key string) (*model.GuildMember, error) {
		return guildMember(ctx, key)
	})
	nodeReaders["Territory"] = eachNode(func(_ *root, ctx context.Context, key string) (*model.Territory, error) {
		all, err := territories(ctx)
		if err != nil {
			return nil, err
		}
		return all.ByName[key], nil
	})
	nodeReaders["GuildSeason"] = eachNode(func(r *root, ctx context.Context, key string) (*model.GuildSeason, error) {
		number, err := strconv.Atoi(key)
		if err != nil {
			return nil, nil
		}
		return r.season(ctx, number)
	})
}
