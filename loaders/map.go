package loaders

import (
	"context"

	"gamedata/graph/model"
)

// MapMarkers returns all markers in stored order.
func (set *Set) MapMarkers(ctx context.Context) ([]*model.MapMarker, error) {
	return current(ctx, set, &set.source.content.markers)
}

// GatheringNodes returns all nodes in stored order.
func (set *Set) GatheringNodes(ctx context.Context) ([]*model.GatheringNode, error) {
	return current(ctx, set, &set.source.content.nodes)
}

// WorldEvents returns all world events in stored order.
func (set *Set) WorldEvents(ctx context.Context) ([]*model.WorldEvent, error) {
	return current(ctx, set, &set.source.content.events)
}

// LootPools returns all camps and raids with every preview, in stored order.
func (set *Set) LootPools(ctx context.Context) ([]*model.LootPoolContent, error) {
	return current(ctx, set, &set.source.content.loot)
}

// QuestSummary returns the quests in short.
func (set *Set) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	return current(ctx, set, &set.source.content.quests)
}
