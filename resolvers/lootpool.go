package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q queryResolver) LootPools(ctx context.Context, filter *model.LootPoolFilter, first *int, after *string,
	last *int, before *string,
) (*model.LootPoolConnection, error) {
	all, err := loaders.From(ctx).LootPools.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	list := []*model.LootPool{}
	for _, typ := range model.Enums["LootPoolType"].Values {
		if filter == nil || isValue("LootPoolType", filter.Types, &typ) {
			list = append(list, only(all.All, func(p *model.LootPool) bool { return p.Type == typ })...)
		}
	}
	return connect(list, pageArgs{first, last, after, before, nil}, q.pageSize, (*model.LootPool).ID)
}

func (q queryResolver) LootPool(ctx context.Context, by model.LootPoolBy) (*model.LootPool, error) {
	return q.lootPool(ctx, *by.InternalName)
}

func (*root) lootPool(ctx context.Context, internalName string) (*model.LootPool, error) {
	all, err := loaders.From(ctx).LootPools.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return named(ctx, all.All, internalName, func(p *model.LootPool) string { return p.InternalName }), nil
}

// named returns the first element with a name that the caller gave, else nil, and suggests similar names.
func named[T any](ctx context.Context, all []*T, given string, name func(*T) string) *T {
	found := firstOf(all, func(v *T) bool { return name(v) == given })
	if found == nil {
		graph.SuggestNames(ctx, given, each(all, name))
	}
	return found
}

func firstOf[T any](all []*T, fits func(*T) bool) *T {
	if i := slices.IndexFunc(all, fits); i >= 0 {
		return all[i]
	}
	return nil
}

func (lootPoolResolver) Rewards(_ context.Context, p *model.LootPool, level *int) ([]*model.Reward, error) {
	if at := model.PreviewAt(p.Previews, level); at != nil && at.Rewards != nil {
		return at.Rewards, nil
	}
	return []*model.Reward{}, nil
}

// LootPools returns the camps and raids that may give an aspect at some level.
func (aspectResolver) LootPools(ctx context.Context, a *model.Aspect) ([]*model.LootPool, error) {
	all, err := loaders.From(ctx).LootPools.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return orEmpty(all.ByAspect[a.Name]), nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (rewardResolver) Aspect(ctx context.Context, r *model.Reward) (*model.Aspect, error) {
	if r.Type != loaders.AspectReward {
		return nil, nil
	}
	aspects, err := loaders.From(ctx).Aspects.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return aspects.ByName[r.Name], nil
}

func (rewardResolver) Item(ctx context.Context, r *model.Reward) (*model.Item, error) {
	items, err := loaders.From(ctx).Items.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return items.ByTitle[r.Name], nil
}
