package resolvers

import (
	"context"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q query) GuildSeasons(ctx context.Context) ([]*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, fault(err, graph.ErrInternal)
	}
	now := q.now()
	shown := make([]*model.GuildSeason, 0, len(seasons.All))
	for _, s := range seasons.All {
		if isShown(s, now) {
			shown = append(shown, s)
		}
	}
	return shown, nil
}

// isShown tells whether anybody may know of a season: it is enabled and has begun (SPEC §4
// `/guild/seasons`).
func isShown(s *model.GuildSeason, now time.Time) bool {
	return s.Enabled && s.InitDate.Before(now)
}

func (r guildSeasonRank) Definition(ctx context.Context, rank *model.GuildSeasonRank) (*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, fault(err, graph.ErrInternal)
	}
	if s := seasons.Numbered(rank.Season); s != nil && isShown(s, r.now()) {
		return s, nil
	}
	return nil, nil
}
