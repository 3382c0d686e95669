package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/cache"
)

// uncachedPlayers returns a read that logs the players it finds but does not cache them.
func (set *Set) uncachedPlayers(read func(context.Context, []string) ([][]*model.Player, error),
) func(context.Context, []string) ([][]*model.Player, error) {
	return func(ctx context.Context, keys []string) ([][]*model.Player, error) {
		found, err := read(ctx, keys)
		for _, players := range found {
			for _, p := range players {
				playerKind.logRead(set, p.UUID, p)
				if r := set.source.records; r != nil {
					r.rules.observe(p)
				}
			}
		}
		return found, err
	}
}

// OnlinePlayers returns all online players with the fields of the online list, and with friends and
// guild if relations is true. The records are partial: lookups by uuid do not return them.
func (set *Set) OnlinePlayers(ctx context.Context, relations bool) ([]*model.Player, error) {
	set.log.addTag(playerTag, cache.Everything)
	return set.source.store.OnlinePlayers(ctx, relations)
}

// PlayersNamed returns up to limit players whose name begins with a folded string, best match first.
func (set *Set) PlayersNamed(ctx context.Context, folded string, limit int) ([]*model.PlayerHit, error) {
	set.log.addTag(playerTag, cache.Everything)
	return set.source.store.SearchPlayers(ctx, folded, limit)
}
