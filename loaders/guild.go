package loaders

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// GuildDirectory returns all guilds in short form, sorted by name.
func (set *Set) GuildDirectory(ctx context.Context) ([]*model.GuildListing, error) {
	set.log.addTag(guildTag, cache.Everything)
	return set.source.store.GuildDirectory(ctx)
}

// GuildsNamed returns up to limit guilds whose name begins with a folded string, best match first.
func (set *Set) GuildsNamed(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	set.log.addTag(guildTag, cache.Everything)
	return set.source.store.SearchGuildsByName(ctx, folded, limit)
}

// GuildsTagged returns up to limit guilds whose prefix begins with a folded string, best match first.
func (set *Set) GuildsTagged(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	set.log.addTag(guildTag, cache.Everything)
	return set.source.store.SearchGuildsByPrefix(ctx, folded, limit)
}

// RankedGuilds returns n guilds in an order of their records, from a position on.
func (set *Set) RankedGuilds(ctx context.Context, o mongo.GuildOrder, first, n int) ([]*model.Guild, error) {
	set.log.addTag(guildTag, cache.Everything)
	found, err := set.source.store.RankedGuilds(ctx, o, first-1, n)
	for _, g := range found {
		set.primeGuild(ctx, g)
	}
	return found, err
}

// CountRankedGuilds returns the number of guilds in an order of their records.
func (set *Set) CountRankedGuilds(ctx context.Context, o mongo.GuildOrder) (int, error) {
	return set.source.store.CountRankedGuilds(ctx, o)
}

// CountGuildsBefore returns the number of guilds before one in an order of their records.
func (set *Set) CountGuildsBefore(ctx context.Context, o mongo.GuildOrder, g *model.Guild) (int, error) {
	return set.source.store.GuildsAhead(ctx, o, g)
}

// CountMembers returns the number of members of guilds, in the order of the uuids.
func (set *Set) CountMembers(ctx context.Context, uuids []string) ([]int, error) {
	return set.source.store.CountMembers(ctx, uuids)
}

// FormerGuilds returns disbanded guilds in the order of the uuids; nil where none has one, or a malformed one.
func (set *Set) FormerGuilds(ctx context.Context, uuids []string) ([]*model.FormerGuild, error) {
	found, err := set.source.store.FormerGuildsByUUID(ctx, uuids)
	if errors.As(err, new(*mongo.MalformedError)) {
		err = nil
	}
	return found, err
}

// Seasons has all guild seasons.
type Seasons struct {
	All      []*model.GuildSeason // by number, including disabled ones
	ByNumber map[int]*model.GuildSeason
}

func newSeasons(all []*model.GuildSeason) *Seasons {
	return &Seasons{all, index(all, func(s *model.GuildSeason) int { return s.Number })}
}

// Seasons returns all seasons.
func (set *Set) Seasons(ctx context.Context) (*Seasons, error) {
	return current(ctx, set, set.source.content.seasons)
}
