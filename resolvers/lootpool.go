package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q queryResolver) LootPools(ctx context.Context, page model.PageArgs, filter *model.LootPoolFilter) (
	*model.LootPoolConnection, error,
) {
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
	return connect(list, page, q.PageSize, (*model.LootPool).ID)
}

func (queryResolver) LootPool(ctx context.Context, by model.LootPoolBy) (*model.LootPool, error) {
	all, err := publicError(loaders.From(ctx).LootPools.Load(ctx))
	if err != nil {
		return nil, err
	}
	return named(ctx, "camp or raid", all.All, *by.InternalName, lootPoolName)
}

func (*root) lootPool(ctx context.Context, internalName string) (*model.LootPool, error) {
	return fromContent(ctx, loaders.From(ctx).LootPools, func(all *loaders.LootPools) *model.LootPool {
		return firstNamed(all.All, internalName, lootPoolName)
	})
}

func lootPoolName(p *model.LootPool) string { return p.InternalName }

// named returns the element with the name given by the caller. An unknown name is an error that suggests similar ones.
func named[T any](ctx context.Context, kind string, all []*T, given string, name func(*T) string) (*T, error) {
	if found := firstNamed(all, given, name); found != nil {
		return found, nil
	}
	return nil, unknownName(ctx, kind, given, each(all, name))
}

// unknownName returns the error for a name that the content lacks.
func unknownName(ctx context.Context, kind, given string, known []string) error {
	return graph.UnknownName(ctx, graph.NotFound, "There is no such "+kind+".", given, known)
}

// firstNamed returns the first element with a name, nil if there is none.
func firstNamed[T any](all []*T, given string, name func(*T) string) *T {
	return firstOf(all, func(v *T) bool { return name(v) == given })
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
	return fromContent(ctx, loaders.From(ctx).LootPools, func(all *loaders.LootPools) []*model.LootPool {
		return orEmpty(all.ByAspect[a.Name])
	})
}

// fromContent looks a value up in content with find.
func fromContent[C, V any](ctx context.Context, content *loaders.Shared[C], find func(C) V) (found V, err error) {
	all, err := publicError(content.Load(ctx))
	if err == nil {
		found = find(all)
	}
	return found, err
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
	return fromContent(ctx, loaders.From(ctx).Aspects, func(all *loaders.Aspects) *model.Aspect {
		return all.ByName[r.Name]
	})
}

func (rewardResolver) Item(ctx context.Context, r *model.Reward) (*model.Item, error) {
	return publicError(loaders.From(ctx).ItemByTitle.Load(ctx, r.Name)())
}
