package mongo

import (
	"context"

	"gamedata/graph/model"
)

// Seasons reads all seasons by number, those that are not enabled included.
func (s *Store) Seasons(ctx context.Context) ([]*model.GuildSeason, error) {
	return readContent[model.GuildSeason](ctx, s, Seasons, "_id")
}

// PutSeasons replaces seasons by number, or adds them.
func (s *Store) PutSeasons(ctx context.Context, list []*model.GuildSeason) error {
	return putContent(ctx, s, Seasons, "_id", list, func(x *model.GuildSeason) int { return x.Number })
}
