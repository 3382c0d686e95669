package resolvers

import (
	"context"
	"maps"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (r territoryResolver) Captures(ctx context.Context, t *model.Territory, page model.PageArgs, from, to *time.Time) (
	*model.CaptureConnection, error,
) {
	return r.captures(ctx, false, t.Name, from, to, page)
}

// Captures lists the captures by which a guild lost or got a territory.
func (r guildResolver) Captures(ctx context.Context, g *model.Guild, page model.PageArgs, from, to *time.Time) (
	*model.CaptureConnection, error,
) {
	return r.captures(ctx, true, g.UUID, from, to, page)
}

func (r *root) captures(ctx context.Context, byGuild bool, key string, from, to *time.Time, page model.PageArgs) (
	*model.CaptureConnection, error,
) {
	span, err := eventSpan(from, to)
	if err != nil {
		return nil, err
	}
	list := mongo.CaptureList{ByGuild: byGuild, EventSpan: span}
	set, of := loaders.From(ctx), loaders.CaptureKey{List: list, Key: key}
	return connectStored(ctx, page, r.PageSize, storedList[*model.Capture]{
		order: list.Order(),
		page: func(ctx context.Context, q mongo.PageQuery) ([]*model.Capture, bool, error) {
			k := loaders.CapturePageKey{CaptureKey: of, Backward: q.Backward, Limit: q.Limit}
			if q.After != nil {
				k.After = *q.After
			}
			found, err := set.CapturesOf.Load(ctx, k)()
			if err != nil {
				return nil, false, err
			}
			return found.Captures, found.More, nil
		},
		count:    func(ctx context.Context) (*int, error) { return set.CaptureCount.Load(ctx, of)() },
		position: list.Position,
	})
}

// eventSpan returns the span between two times; nil is open.
func eventSpan(from, to *time.Time) (s mongo.EventSpan, err error) {
	if from != nil && to != nil && from.After(*to) {
		return s, graph.Errorf(graph.InvalidQueryParams, "from must be before to.")
	}
	if from != nil {
		s.From = *from
	}
	if to != nil {
		s.To = *to
	}
	return s, nil
}

func (*root) territory(ctx context.Context, name string) (*model.Territory, error) {
	all, err := territories(ctx)
	return all.ByName[name], err
}

// TerritoriesAt returns who held each territory at a time: the guild that lost it in the next capture, or the current
// holder.
func (q queryResolver) TerritoriesAt(ctx context.Context, at time.Time) ([]*model.PastTerritory, error) {
	switch now := q.Now(); {
	case at.After(now):
		return nil, graph.Errorf(graph.InvalidQueryParams, "time must not be in the future.")
	case now.Sub(at) > maxHistory:
		return nil, graph.Errorf(graph.InvalidQueryParams, "time must be at most %d days ago.", int(maxHistory/day))
	}
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	names := each(all.All, func(t *model.Territory) string { return t.Name })
	next, err := publicError(loaders.From(ctx).Store().Captures.First(ctx, at, names))
	if err != nil {
		return nil, err
	}
	out := map[string]*model.PastTerritory{}
	for _, t := range all.All {
		out[t.Name] = presentHolder(t, at)
	}
	for name, c := range next {
		out[name] = formerHolder(c, at)
	}
	return each(slices.Sorted(maps.Keys(out)), func(name string) *model.PastTerritory { return out[name] }), nil
}

// presentHolder returns who held a territory at a time, if nobody has captured it since.
func presentHolder(t *model.Territory, at time.Time) *model.PastTerritory {
	p := &model.PastTerritory{TerritoryName: t.Name}
	if t.AcquiredAt == nil || t.AcquiredAt.After(at) { // a capture was not recorded
		return p
	}
	p.Known, p.AcquiredAt, p.Holder = true, t.AcquiredAt, t.Guild.EventGuild()
	return p
}

// formerHolder returns who held a territory at a time, from its first capture since then.
func formerHolder(c *model.Capture, at time.Time) *model.PastTerritory {
	p := &model.PastTerritory{TerritoryName: c.TerritoryName, Known: true, Holder: c.From}
	if c.HeldSeconds == nil {
		return p
	}
	since := c.At.Add(-time.Duration(*c.HeldSeconds) * time.Second)
	if since.After(at.Add(time.Second)) { // an earlier capture is not recorded; seconds are rounded
		return &model.PastTerritory{TerritoryName: c.TerritoryName}
	}
	p.AcquiredAt = &since
	return p
}
