package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/cache"
)

// PlayersNamed finds up to limit players whose name begins with a folded text, best first.
func (set *Set) PlayersNamed(ctx context.Context, folded string, limit int) ([]*model.PlayerHit, error) {
	set.read.of(playerTag, cache.Everything)
	return set.source.store.SearchPlayers(ctx, folded, limit)
}

// GuildsNamed finds up to limit guilds whose name begins with a folded text, best first.
func (set *Set) GuildsNamed(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	set.read.of(guildTag, cache.Everything)
	return set.source.store.SearchGuildsByName(ctx, folded, limit)
}

// GuildsTagged finds up to limit guilds whose tag begins with a folded text, best first.
func (set *Set) GuildsTagged(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	set.read.of(guildTag, cache.Everything)
	return set.source.store.SearchGuildsByPrefix(ctx, folded, limit)
}
