package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (queryResolver) MapMarkers(ctx context.Context, icon *string) ([]*model.MapMarker, error) {
	all, err := loaders.From(ctx).MapMarkers(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if icon == nil {
		return all, nil
	}
	return only(all, func(m *model.MapMarker) bool { return m.Icon == *icon }), nil
}

func (queryResolver) GatheringNodes(ctx context.Context, kind, resource *string) ([]*model.GatheringNode, error) {
	all, err := loaders.From(ctx).GatheringNodes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if kind == nil && resource == nil {
		return all, nil
	}
	return only(all, func(n *model.GatheringNode) bool {
		return (kind == nil || n.Type == *kind) && (resource == nil || n.Resource == *resource)
	}), nil
}

// only keeps what fits of a list that others share.
func only[T any](all []T, fits func(T) bool) []T {
	out := []T{}
	for _, x := range all {
		if fits(x) {
			out = append(out, x)
		}
	}
	return out
}

func (queryResolver) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	q, err := loaders.From(ctx).QuestSummary(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return q, nil
}
