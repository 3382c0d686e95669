package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
)

func (query) Territories(context.Context, *string) (*model.TerritoryList, error) {
	return nil, graph.ErrInternal
}
func (query) MapMarkers(context.Context, *string) ([]*model.MapMarker, error) {
	return nil, graph.ErrInternal
}
func (query) PlayerLocations(context.Context) ([]*model.PlayerLocation, error) {
	return nil, graph.ErrInternal
}
func (query) WorldEvents(context.Context) ([]*model.WorldEvent, error) { return nil, graph.ErrInternal }
func (query) Camps(context.Context, *int) ([]*model.LootPoolContent, error) {
	return nil, graph.ErrInternal
}
func (query) Raids(context.Context, *int) ([]*model.LootPoolContent, error) {
	return nil, graph.ErrInternal
}
func (query) LootPools(context.Context, *int) ([]*model.LootPoolContent, error) {
	return nil, graph.ErrInternal
}
func (query) GatheringNodes(context.Context, *string, *string) ([]*model.GatheringNode, error) {
	return nil, graph.ErrInternal
}
func (query) QuestSummary(context.Context) (*model.QuestSummary, error) {
	return nil, graph.ErrInternal
}
func (guild) Territories(context.Context, *model.Guild) (int, error) { return 0, graph.ErrInternal }
func (guild) HeldTerritories(context.Context, *model.Guild) ([]*model.Territory, error) {
	return nil, graph.ErrInternal
}
func (guild) Headquarters(context.Context, *model.Guild) (*model.Territory, error) {
	return nil, graph.ErrInternal
}
func (territory) Owner(context.Context, *model.Territory) (*model.Guild, error) {
	return nil, graph.ErrInternal
}
func (territory) Linked(context.Context, *model.Territory) ([]*model.Territory, error) {
	return nil, graph.ErrInternal
}
func (playerLocation) Friends(context.Context, *model.PlayerLocation) ([]*model.CompanionLocation, error) {
	return nil, graph.ErrInternal
}
func (playerLocation) Party(context.Context, *model.PlayerLocation) ([]*model.CompanionLocation, error) {
	return nil, graph.ErrInternal
}
func (playerLocation) Guild(context.Context, *model.PlayerLocation) ([]*model.CompanionLocation, error) {
	return nil, graph.ErrInternal
}
func (worldEvent) Territory(context.Context, *model.WorldEvent) (*model.Territory, error) {
	return nil, graph.ErrInternal
}
func (reward) Item(context.Context, *model.Reward) (*model.Item, error) {
	return nil, graph.ErrInternal
}
