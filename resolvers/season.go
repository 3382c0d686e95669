package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

func (q queryResolver) GuildSeasons(ctx context.Context) ([]*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.now()
	return only(seasons.All, func(s *model.GuildSeason) bool { return leaderboard.SeasonStarted(s, now) }), nil
}

func (r guildSeasonRankResolver) Definition(ctx context.Context, rank *model.GuildSeasonRank) (
	*model.GuildSeason, error,
) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if s := seasons.ByNumber[rank.Season]; s != nil && leaderboard.SeasonStarted(s, r.now()) {
		return s, nil
	}
	return nil, nil
}
