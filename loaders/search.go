package loaders

import (
	"context"

	"gamedata/graph/model"
)

// PlayersNamed finds up to limit players whose name begins with a folded text, best first.
func (set *Set) PlayersNamed(ctx context.Context, folded string, limit int) ([]*model.PlayerHit, error) {
	return set.source.store.PlayersNamed(ctx, folded, limit)
}

// GuildsNamed finds up to limit guilds whose name begins with a folded text, best first.
func (set *Set) GuildsNamed(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	return set.source.store.GuildsNamed(ctx, folded, limit)
}

// GuildsTagged finds up to limit guilds whose tag begins with a folded text, best first.
func (set *Set) GuildsTagged(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	return set.source.store.GuildsTagged(ctx, folded, limit)
}
