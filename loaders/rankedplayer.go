package loaders

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// RankedPlayers reads players in the order of their uuids, nil where none has one or a malformed record. Those that are
// not cached are read in part and stay so: names, ranks, rules, the previous position on the board and what it shows.
func (set *Set) RankedPlayers(ctx context.Context, b *leaderboard.Board, uuids []string) ([]*model.Player, error) {
	read := readMissing(set, func(ctx context.Context, missing []string) ([]*model.Player, error) {
		return set.source.store.RankedPlayers(ctx, b.Name, b.PlayerFields(), missing)
	}, func(uuid string) (*model.Player, bool) {
		found, ok := playerKind.get(set, uuid)
		if ok {
			playerKind.logCached(set, found)
		}
		return found.record, ok
	}, func(f *cacheFill, uuid string, p *model.Player) {
		playerKind.logRead(set, uuid, p)
		if f.records != nil && p != nil {
			playerKind.observe(f.records, p)
		}
	})
	return withoutMalformed(read(ctx, uuids))
}

// CharacterKinds reads the class and the gamemodes of characters in the order of their keys, nil where none has one or
// a malformed record. The records are partial: lookups by uuid do not return them.
func (set *Set) CharacterKinds(ctx context.Context, keys []mongo.CharacterKey) ([]*model.Character, error) {
	return withoutMalformed(set.source.store.CharacterKinds(ctx, keys))
}

// withoutMalformed returns records of which malformed ones are nil.
func withoutMalformed[T any](found []T, err error) ([]T, error) {
	if errors.As(err, new(*mongo.MalformedError)) {
		err = nil
	}
	return found, err
}
