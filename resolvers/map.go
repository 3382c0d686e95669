package resolvers

import (
	"context"
	"fmt"
	"slices"

	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q queryResolver) MapMarkers(ctx context.Context, page model.PageArgs, filter *model.MapMarkerFilter) (
	*model.MapMarkerConnection, error,
) {
	all, err := publicError(loaders.From(ctx).MapMarkers.Load(ctx))
	if err != nil {
		return nil, err
	}
	if f := filter; f != nil {
		all = only(all, func(m *model.MapMarker) bool {
			return (len(f.Icons) == 0 || slices.Contains(f.Icons, m.Icon)) && inBox(f.Box, m.Position)
		})
	}
	return connect(all, page, q.PageSize, func(m *model.MapMarker) string {
		return m.Name + placeKey(m.Position)
	})
}

func (q queryResolver) GatheringNodes(ctx context.Context, page model.PageArgs, filter *model.GatheringNodeFilter) (
	*model.GatheringNodeConnection, error,
) {
	all, err := publicError(loaders.From(ctx).GatheringNodes.Load(ctx))
	if err != nil {
		return nil, err
	}
	if f := filter; f != nil {
		all = only(all, func(n *model.GatheringNode) bool {
			return isValue("GatheringNodeType", f.Types, &n.Type) &&
				(len(f.Resources) == 0 || slices.Contains(f.Resources, n.Resource)) &&
				inRange(f.Level, n.Level) && inBox(f.Box, n.Position)
		})
	}
	return connect(all, page, q.PageSize, func(n *model.GatheringNode) string {
		return n.Resource + placeKey(n.Position)
	})
}

// placeKey formats a position as the key of an object identified only by its place.
func placeKey(p model.Position) string { return fmt.Sprintf("@%v,%v,%v", p.X, p.Y, p.Z) }

func inBox(b *model.BoxRange, p model.Position) bool {
	in := func(r *model.FloatRange, n float64) bool { return r == nil || within(r.Min, r.Max, n) }
	return b == nil || in(b.X, p.X) && in(b.Y, p.Y) && in(b.Z, p.Z)
}

func only[T any](all []T, fits func(T) bool) []T {
	out := []T{}
	for _, x := range all {
		if fits(x) {
			out = append(out, x)
		}
	}
	return out
}

func each[T, R any](list []T, f func(T) R) []R {
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func (queryResolver) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	return publicError(loaders.From(ctx).QuestSummary.Load(ctx))
}
