package loaders

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// MapMarkers returns all markers in stored order.
func (set *Set) MapMarkers(ctx context.Context) ([]*model.MapMarker, error) {
	return current(ctx, set, set.source.content.markers)
}

// GatheringNodes returns all nodes in stored order.
func (set *Set) GatheringNodes(ctx context.Context) ([]*model.GatheringNode, error) {
	return current(ctx, set, set.source.content.nodes)
}

// WorldEvents returns all world events in stored order.
func (set *Set) WorldEvents(ctx context.Context) ([]*model.WorldEvent, error) {
	return current(ctx, set, set.source.content.events)
}

// LootPools returns all camps and raids with every preview, in stored order.
func (set *Set) LootPools(ctx context.Context) ([]*model.LootPool, error) {
	return current(ctx, set, set.source.content.loot)
}

// QuestSummary returns the quests in short.
func (set *Set) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	return current(ctx, set, set.source.content.quests)
}

// Discoveries has all discoveries.
type Discoveries struct {
	// All are sorted by folded name.
	All []*model.Discovery
	// Names are the folded names of All.
	Names []string
}

func newDiscoveries(all []*model.Discovery) *Discoveries {
	slices.SortStableFunc(all, func(a, b *model.Discovery) int {
		return strings.Compare(mongo.Fold(a.Name), mongo.Fold(b.Name))
	})
	out := &Discoveries{All: all, Names: make([]string, len(all))}
	for i, d := range all {
		out.Names[i] = mongo.Fold(d.Name)
	}
	return out
}

// Discoveries returns all discoveries.
func (set *Set) Discoveries(ctx context.Context) (*Discoveries, error) {
	return current(ctx, set, set.source.content.discoveries)
}
