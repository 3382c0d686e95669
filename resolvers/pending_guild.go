package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
)

func (query) Guilds(context.Context) ([]*model.GuildListing, error) { return nil, graph.ErrInternal }
func (query) Guild(context.Context, string) (*model.Guild, error)   { return nil, graph.ErrInternal }
func (query) GuildByPrefix(context.Context, string) (*model.Guild, error) {
	return nil, graph.ErrInternal
}
func (query) GuildByUUID(context.Context, string) (*model.Guild, error) {
	return nil, graph.ErrInternal
}
func (query) GuildSeasons(context.Context) ([]*model.GuildSeason, error) {
	return nil, graph.ErrInternal
}
func (guild) Members(context.Context, *model.Guild) (*model.GuildMembers, error) {
	return nil, graph.ErrInternal
}
func (guild) Online(context.Context, *model.Guild) (int, error) { return 0, graph.ErrInternal }
func (guildMembers) All(context.Context, *model.GuildMembers, model.GuildMemberSort, *int) ([]*model.GuildMember, error) {
	return nil, graph.ErrInternal
}
func (guildSeasonRank) Definition(context.Context, *model.GuildSeasonRank) (*model.GuildSeason, error) {
	return nil, graph.ErrInternal
}
