package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// guildsByName keeps what it finds for lookups by uuid later in the operation, as
// guildsByPrefix does.
func (set *Set) guildsByName(ctx context.Context, names []string) ([]*model.Guild, error) {
	found, err := first(guildsByName.reader(set, each(set.source.store.GuildsByName)))(ctx, names)
	set.keepGuilds(ctx, found)
	return found, err
}

func (set *Set) guildsByPrefix(ctx context.Context, prefixes []string) ([][]*model.Guild, error) {
	found, err := guildsByPrefix.reader(set, set.source.store.GuildsByPrefix)(ctx, prefixes)
	for _, group := range found {
		set.keepGuilds(ctx, group)
	}
	return found, err
}

func (set *Set) keepGuilds(ctx context.Context, found []*model.Guild) {
	for _, g := range found {
		if g != nil {
			set.GuildByUUID.Prime(ctx, g.UUID, g)
		}
	}
}

// GuildDirectory reads every guild in short, by name.
func (set *Set) GuildDirectory(ctx context.Context) ([]*model.GuildListing, error) {
	set.read.of(guildTag, cache.Everything)
	return set.source.store.GuildDirectory(ctx)
}

// playersByGuild keeps what it finds for lookups by uuid later in the operation.
func (set *Set) playersByGuild(ctx context.Context, guilds []string) ([][]*model.Player, error) {
	found, err := playersByGuild.reader(set, set.source.store.PlayersByGuild)(ctx, guilds)
	for _, group := range found {
		for _, p := range group {
			set.PlayerByUUID.Prime(ctx, p.UUID, p)
		}
	}
	return found, err
}

// Seasons is all seasons.
type Seasons struct {
	// All are the seasons by number, those that are not enabled included.
	All []*model.GuildSeason

	byNumber map[int]*model.GuildSeason
}

// Numbered returns the season with that number, or nil.
func (s *Seasons) Numbered(n int) *model.GuildSeason { return s.byNumber[n] }

func readSeasons(store *mongo.Store) func(context.Context) (*Seasons, error) {
	return func(ctx context.Context) (*Seasons, error) {
		all, err := store.Seasons(ctx)
		if err != nil {
			return nil, err
		}
		out := &Seasons{All: all, byNumber: make(map[int]*model.GuildSeason, len(all))}
		for _, s := range all {
			out.byNumber[s.Number] = s
		}
		return out, nil
	}
}

// Seasons returns all seasons.
func (set *Set) Seasons(ctx context.Context) (*Seasons, error) {
	return current(ctx, set, &set.source.content.seasons)
}
