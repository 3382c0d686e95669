package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// The two kinds of content with loot pools.
const (
	camp = "CAMP"
	raid = "RAID"
)

func (queryResolver) Camps(ctx context.Context, level *int) ([]*model.LootPoolContent, error) {
	return lootPools(ctx, level, camp)
}

func (queryResolver) Raids(ctx context.Context, level *int) ([]*model.LootPoolContent, error) {
	return lootPools(ctx, level, raid)
}

func (queryResolver) LootPools(ctx context.Context, level *int) ([]*model.LootPoolContent, error) {
	return lootPools(ctx, level, camp, raid)
}

// lootPools returns the contents of each type in turn, with the rewards at a level.
func lootPools(ctx context.Context, level *int, types ...string) ([]*model.LootPoolContent, error) {
	all, err := loaders.From(ctx).LootPools(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	out := []*model.LootPoolContent{}
	for _, t := range types {
		for _, record := range all {
			if record.Type == t {
				out = append(out, previewed(record, level))
			}
		}
	}
	return out, nil
}

// previewed returns a copy of a shared record with its rewards at a level.
func previewed(record *model.LootPoolContent, level *int) *model.LootPoolContent {
	c := *record
	c.Rewards, c.Thresholds = []*model.Reward{}, make([]int, len(c.Previews))
	for i, p := range c.Previews {
		c.Thresholds[i] = p.Threshold
	}
	if p := model.PreviewAt(c.Previews, level); p != nil && p.Rewards != nil {
		c.Rewards = p.Rewards
	}
	return &c
}

func (rewardResolver) Item(ctx context.Context, r *model.Reward) (*model.Item, error) {
	items, err := loaders.From(ctx).Items(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return items.ByTitle[r.Name], nil
}
