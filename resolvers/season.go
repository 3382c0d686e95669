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
	shown := make([]*model.GuildSeason, 0, len(seasons.All))
	for _, s := range seasons.All {
		if leaderboard.SeasonStarted(s, now) {
			shown = append(shown, s)
		}
	}
	return shown, nil
}

func (r guildSeasonRankResolver) Definition(
	ctx context.Context,
	rank *model.GuildSeasonRank,
) (*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if s := seasons.Numbered(rank.Season); s != nil && leaderboard.SeasonStarted(s, r.now()) {
		return s, nil
	}
	return nil, nil
}
