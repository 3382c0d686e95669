package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) Territories(
	ctx context.Context, page model.PageArgs, filter *model.TerritoryFilter, orderBy *model.TerritoryOrder,
) (*model.TerritoryConnection, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	if filter != nil && filter.ChangedSince != nil && orderBy == nil {
		orderBy = &model.TerritoryOrder{Field: model.TerritoryOrderFieldUpdatedAt, Direction: model.OrderDirectionAsc}
	}
	return q.territoryPage(all, matchingTerritories(all, filter), orderBy, page)
}

func (r *root) territoryPage(all *loaders.Territories, list []*model.Territory, orderBy *model.TerritoryOrder,
	page model.PageArgs,
) (*model.TerritoryConnection, error) {
	if orderBy != nil {
		list = sorted(list, territoryOrders[orderBy.Field], orderBy.Direction)
	}
	territories, err := connect(list, page, r.PageSize, func(t *model.Territory) string { return t.Name })
	if err != nil {
		return nil, err
	}
	return &model.TerritoryConnection{
		Connection: *territories, RefreshedAt: r.GameTime(all.At), ResourcesRefreshedAt: r.GameTime(all.ResourcesAt),
	}, nil
}

var territoryOrders = map[model.TerritoryOrderField]value[*model.Territory]{
	model.TerritoryOrderFieldName:       func(t *model.Territory) any { return t.Name },
	model.TerritoryOrderFieldAcquiredAt: func(t *model.Territory) any { return valueOf(t.AcquiredAt) },
	model.TerritoryOrderFieldUpdatedAt:  func(t *model.Territory) any { return t.Updated },
	model.TerritoryOrderFieldTreasury:   func(t *model.Territory) any { return territoryLevel(t.Treasury) },
	model.TerritoryOrderFieldDefences:   func(t *model.Territory) any { return territoryLevel(t.Defences) },
}

// territoryLevel returns the rank of a level, lowest first.
func territoryLevel(level string) int {
	return slices.Index(model.Enums["TerritoryLevel"].Values, level)
}

func matchingTerritories(all *loaders.Territories, f *model.TerritoryFilter) []*model.Territory {
	if f == nil {
		return all.All
	}
	names := foldEach(f.Names)
	return only(all.All, func(t *model.Territory) bool {
		guild := t.Guild.UUID
		return (f.Names == nil || slices.Contains(names, mongo.Fold(t.Name))) &&
			(f.Guilds == nil || guild != nil && slices.Contains(f.Guilds, *guild)) &&
			(f.Unclaimed == nil || *f.Unclaimed == (guild == nil)) &&
			(f.Headquarters == nil || *f.Headquarters == t.Hq) &&
			(f.Resources == nil || slices.ContainsFunc(t.Resources, func(r *model.TerritoryResource) bool {
				return slices.Contains(f.Resources, r.Type)
			})) &&
			(f.Treasury == nil || slices.Contains(f.Treasury, t.Treasury)) &&
			(f.Defences == nil || slices.Contains(f.Defences, t.Defences)) && inSpan(f.AcquiredAt, t.AcquiredAt) &&
			changedSince(t.Updated, f.ChangedSince)
	})
}

func (queryResolver) Territory(ctx context.Context, by model.TerritoryBy) (*model.Territory, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.Index(all.Names, mongo.Fold(*by.Name)); i >= 0 {
		return all.All[i], nil
	}
	return nil, unknownName(ctx, "territory", *by.Name, each(all.All, func(t *model.Territory) string { return t.Name }))
}

// territories returns all territories. With an error it returns none, not nil.
func territories(ctx context.Context) (*loaders.Territories, error) {
	all, err := loaders.From(ctx).Territories(ctx)
	if err != nil {
		return &loaders.Territories{}, storeError(err, graph.ErrTerritoriesNotLoaded)
	}
	return all, nil
}

// Links leaves out names that no territory has.
func (territoryResolver) Links(ctx context.Context, t *model.Territory) ([]*model.Territory, error) {
	all, err := territories(ctx)
	linked := each(t.LinkNames, func(name string) *model.Territory { return all.ByName[name] })
	return only(linked, func(t *model.Territory) bool { return t != nil }), err
}

func (r territoryResolver) WorldEvents(ctx context.Context, t *model.Territory) ([]*model.WorldEvent, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	events, err := r.worldEvents(ctx)
	if err != nil {
		return nil, err
	}
	return only(events, func(e *model.WorldEvent) bool {
		at := eventTerritory(all, e)
		return at != nil && at.Name == t.Name
	}), nil
}

func (guildResolver) TerritoryCount(ctx context.Context, g *model.Guild) (*int, error) {
	all, err := territories(ctx)
	return new(len(all.ByGuild[g.UUID])), err
}

func (r guildResolver) Territories(
	ctx context.Context, g *model.Guild, page model.PageArgs, orderBy *model.TerritoryOrder,
) (*model.TerritoryConnection, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	return r.territoryPage(all, orEmpty(all.ByGuild[g.UUID]), orderBy, page)
}

func (guildResolver) Headquarters(ctx context.Context, g *model.Guild) (*model.Territory, error) {
	all, err := territories(ctx)
	return all.Headquarters(g.UUID), err
}

// territoryAt returns the first territory by name whose rectangle contains a point, or nil. Edges belong to the
// rectangle.
func territoryAt(all []*model.Territory, x, z int) *model.Territory {
	within := func(n, a, b int) bool { return min(a, b) <= n && n <= max(a, b) }
	for _, t := range all {
		if t.Location == nil {
			continue
		}
		from, to := t.Location.StartCorner, t.Location.EndCorner
		if len(from) == 2 && len(to) == 2 && within(x, from[0], to[0]) && within(z, from[1], to[1]) {
			return t
		}
	}
	return nil
}
