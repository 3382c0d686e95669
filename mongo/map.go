package mongo

import (
	"context"

	"gamedata/graph/model"
)

// MapMarkers reads all markers in their order.
func (s *Store) MapMarkers(ctx context.Context) ([]*model.MapMarker, error) {
	return readList[model.MapMarker](ctx, s, MapMarkers)
}

// PutMapMarkers replaces all markers.
func (s *Store) PutMapMarkers(ctx context.Context, all []*model.MapMarker) error {
	return putList(ctx, s, MapMarkers, all)
}

// GatheringNodes reads all gathering nodes in their order.
func (s *Store) GatheringNodes(ctx context.Context) ([]*model.GatheringNode, error) {
	return readList[model.GatheringNode](ctx, s, GatheringNodes)
}

// PutGatheringNodes replaces all gathering nodes.
func (s *Store) PutGatheringNodes(ctx context.Context, all []*model.GatheringNode) error {
	return putList(ctx, s, GatheringNodes, all)
}

// WorldEvents reads all world events in their order.
func (s *Store) WorldEvents(ctx context.Context) ([]*model.WorldEvent, error) {
	return readList[model.WorldEvent](ctx, s, WorldEvents)
}

// PutWorldEvents replaces all world events.
func (s *Store) PutWorldEvents(ctx context.Context, all []*model.WorldEvent) error {
	return putList(ctx, s, WorldEvents, all)
}

// LootPools reads all camps and raids, with every preview, in their order.
func (s *Store) LootPools(ctx context.Context) ([]*model.LootPoolContent, error) {
	return readList[model.LootPoolContent](ctx, s, LootPools)
}

// PutLootPools replaces all camps and raids.
func (s *Store) PutLootPools(ctx context.Context, all []*model.LootPoolContent) error {
	return putList(ctx, s, LootPools, all)
}

// QuestSummary reads the quest summary; a zero one when none is stored.
func (s *Store) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	all, err := readList[model.QuestSummary](ctx, s, QuestSummary)
	if err != nil || len(all) == 0 {
		return &model.QuestSummary{}, err
	}
	return all[0], nil
}

// PutQuestSummary replaces the quest summary.
func (s *Store) PutQuestSummary(ctx context.Context, q *model.QuestSummary) error {
	return putList(ctx, s, QuestSummary, []*model.QuestSummary{q})
}

// Discoveries reads all discoveries in stored order.
func (s *Store) Discoveries(ctx context.Context) ([]*model.Discovery, error) {
	return readList[model.Discovery](ctx, s, Discoveries)
}

// PutDiscoveries replaces all discoveries.
func (s *Store) PutDiscoveries(ctx context.Context, all []*model.Discovery) error {
	return putList(ctx, s, Discoveries, all)
}
