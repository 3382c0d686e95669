package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/loaders"
)

func (queryResolver) MapMarkers(ctx context.Context, icon *string) ([]*model.MapMarker, error) {
	all, err := stored(loaders.From(ctx).MapMarkers(ctx))
	if err != nil || icon == nil {
		return all, err
	}
	return only(all, func(m *model.MapMarker) bool { return m.Icon == *icon }), nil
}

func (queryResolver) GatheringNodes(ctx context.Context, kind, resource *string) ([]*model.GatheringNode, error) {
	all, err := stored(loaders.From(ctx).GatheringNodes(ctx))
	if err != nil || kind == nil && resource == nil {
		return all, err
	}
	return only(all, func(n *model.GatheringNode) bool {
		return (kind == nil || n.Type == *kind) && (resource == nil || n.Resource == *resource)
	}), nil
}

// only returns the elements of a shared list that fit.
func only[T any](all []T, fits func(T) bool) []T {
	out := []T{}
	for _, x := range all {
		if fits(x) {
			out = append(out, x)
		}
	}
	return out
}

// each returns the values of f for the elements of a list.
func each[T, R any](list []T, f func(T) R) []R {
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func (queryResolver) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	return stored(loaders.From(ctx).QuestSummary(ctx))
}
