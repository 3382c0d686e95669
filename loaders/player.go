package loaders

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// uncachedPlayers returns a read that logs the players it finds but does not cache them.
func (set *Set) uncachedPlayers(read func(context.Context, []string) ([][]*model.Player, error),
) func(context.Context, []string) ([][]*model.Player, error) {
	return func(ctx context.Context, keys []string) ([][]*model.Player, error) {
		found, err := read(ctx, keys)
		for _, players := range found {
			set.logPlayers(players)
		}
		return found, err
	}
}

func (set *Set) logPlayers(players []*model.Player) {
	for _, p := range players {
		playerKind.logRead(set, p.UUID, p)
	}
}

// OnlinePlayers returns the list of online players. It is shared and must not be changed. With a record cache it is up
// to 30 seconds old, or as old as the response may be if that is less, but never older than a purge of a player.
func (set *Set) OnlinePlayers(ctx context.Context) (*OnlineList, error) {
	set.log.addTag(playerTag, cache.Everything)
	maxAge := onlineAge
	if set.maxAge > 0 {
		maxAge = min(maxAge, set.maxAge)
	}
	list, err := set.source.online.list(ctx, maxAge)
	if err != nil {
		return nil, err
	}
	set.log.noteAge(list.at, "")
	return &list.value, nil
}

// PlayersNamed returns up to limit players whose name begins with a folded string, best match first. With brief,
// players contain only uuid and name.
func (set *Set) PlayersNamed(ctx context.Context, folded string, limit int, brief bool) ([]*model.Player, error) {
	set.log.addTag(playerTag, cache.Everything)
	found, err := set.source.store.Players.Search(ctx, folded, limit, brief)
	if !brief {
		set.logPlayers(found)
	}
	return found, err
}

// PlayerPage returns a page of a list of players and whether more players follow.
func (set *Set) PlayerPage(ctx context.Context, l mongo.PlayerList, q mongo.PageQuery) ([]*model.Player, bool, error) {
	set.log.addTag(playerTag, cache.Everything)
	found, more, err := set.source.store.Players.Page(ctx, l, q)
	set.logPlayers(found)
	return found, more, err
}

// CountPlayers returns the number of players of a list.
func (set *Set) CountPlayers(ctx context.Context, l mongo.PlayerList) (*int, error) {
	set.log.addTag(playerTag, cache.Everything)
	return set.source.store.Players.Count(ctx, l)
}

// withoutMalformed returns the records, with nil for malformed ones.
func withoutMalformed[T any](found []T, err error) ([]T, error) {
	if errors.As(err, new(*mongo.MalformedError)) {
		err = nil
	}
	return found, err
}
