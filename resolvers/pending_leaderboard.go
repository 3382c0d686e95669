package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
)

func (query) LeaderboardTypes(context.Context) ([]*model.LeaderboardType, error) {
	return nil, graph.ErrInternal
}
func (query) Leaderboard(context.Context, string, int, *string) (*model.Leaderboard, error) {
	return nil, graph.ErrInternal
}
func (guildSeason) Leaderboard(context.Context, *model.GuildSeason, int) (*model.Leaderboard, error) {
	return nil, graph.ErrInternal
}
