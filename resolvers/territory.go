package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (queryResolver) Territories(ctx context.Context, guild *string) (*model.TerritoryList, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	list := all.All
	if guild != nil {
		list = held(all, *guild)
	}
	return &model.TerritoryList{RefreshedAt: all.At, ResourcesRefreshedAt: all.ResourcesAt, List: list}, nil
}

func territories(ctx context.Context) (*loaders.Territories, error) {
	all, err := loaders.From(ctx).Territories(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrTerritoriesNotLoaded)
	}
	return all, nil
}

func held(all *loaders.Territories, guild string) []*model.Territory {
	if list := all.ByGuild[guild]; list != nil {
		return list
	}
	return []*model.Territory{}
}

func (territoryResolver) Owner(ctx context.Context, t *model.Territory) (*model.Guild, error) {
	if t.Guild.UUID == nil {
		return nil, nil
	}
	return guildByUUID(ctx, *t.Guild.UUID)
}

// Linked leaves out names that no territory has.
func (territoryResolver) Linked(ctx context.Context, t *model.Territory) ([]*model.Territory, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Territory, 0, len(t.Links))
	for _, name := range t.Links {
		if other := all.ByName[name]; other != nil {
			out = append(out, other)
		}
	}
	return out, nil
}

func (guildResolver) Territories(ctx context.Context, g *model.Guild) (int, error) {
	all, err := territories(ctx)
	if err != nil {
		return 0, err
	}
	return len(all.ByGuild[g.UUID]), nil
}

func (guildResolver) HeldTerritories(ctx context.Context, g *model.Guild) ([]*model.Territory, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	return held(all, g.UUID), nil
}

func (guildResolver) Headquarters(ctx context.Context, g *model.Guild) (*model.Territory, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	return all.Headquarters(g.UUID), nil
}

// territoryAt returns the first territory by name whose rectangle, edges included, contains a point; nil if none does.
func territoryAt(all []*model.Territory, x, z int) *model.Territory {
	within := func(n, a, b int) bool { return min(a, b) <= n && n <= max(a, b) }
	for _, t := range all {
		if t.Location == nil {
			continue
		}
		from, to := t.Location.Start, t.Location.End
		if len(from) == 2 && len(to) == 2 && within(x, from[0], to[0]) && within(z, from[1], to[1]) {
			return t
		}
	}
	return nil
}
