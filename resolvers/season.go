package resolvers

import (
	"context"
	"slices"
	"strconv"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

func (q queryResolver) GuildSeasons(ctx context.Context, filter *model.GuildSeasonFilter, first *int, after *string,
	last *int, before *string,
) (*model.GuildSeasonConnection, error) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.now()
	list := only(seasons.All, func(s *model.GuildSeason) bool {
		running := s.EndDate == nil || now.Before(*s.EndDate)
		return leaderboard.SeasonStarted(s, now) && (filter == nil ||
			(filter.Numbers == nil || slices.Contains(filter.Numbers, s.Number)) &&
				(filter.Running == nil || *filter.Running == running))
	})
	return connect(list, pageArgs{first, last, after, before, nil}, q.pageSize,
		func(s *model.GuildSeason) string { return strconv.Itoa(s.Number) })
}

func (q queryResolver) GuildSeason(ctx context.Context, by model.GuildSeasonBy) (*model.GuildSeason, error) {
	if err := oneOf(by.Number != nil); err != nil {
		return nil, err
	}
	return q.guildSeason(ctx, *by.Number)
}

// guildSeason returns a season that has begun, nil if there is none of the number.
func (r *root) guildSeason(ctx context.Context, number int) (*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if s := seasons.ByNumber[number]; s != nil && leaderboard.SeasonStarted(s, r.now()) {
		return s, nil
	}
	return nil, nil
}
