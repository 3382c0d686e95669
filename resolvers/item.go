package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) Item(ctx context.Context, by model.ItemBy) (*model.Item, error) {
	if by.InternalName != nil {
		if i, err := q.item(ctx, *by.InternalName); err != nil || i != nil {
			return i, err
		}
	}
	items, err := publicError(loaders.From(ctx).Items.Load(ctx))
	if err != nil {
		return nil, err
	}
	if by.InternalName != nil {
		return nil, unknownName(ctx, "item", *by.InternalName, each(items.All, internalName))
	}
	title := mongo.Fold(*by.DisplayName)
	var found []*model.Item
	for n, i := range items.All {
		if items.Names[n][0] == title {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil, unknownName(ctx, "item", *by.DisplayName, each(items.All, func(i *model.Item) string {
			return i.DisplayName
		}))
	case 1:
		return found[0], nil
	}
	return nil, graph.ErrMultiple(itemCandidates(found))
}

func (*root) item(ctx context.Context, internalName string) (*model.Item, error) {
	return publicError(loaders.From(ctx).ItemByName.Load(ctx, internalName)())
}

// itemsByName returns items in the order of the names, with nil for unknown names.
func itemsByName(ctx context.Context, internalNames []string) ([]*model.Item, error) {
	return publicError(loaders.Many(ctx, loaders.From(ctx).ItemByName, internalNames))
}

func itemCandidates(found []*model.Item) []any {
	return each(found, func(i *model.Item) any {
		return struct {
			InternalName string       `json:"internalName"`
			DisplayName  string       `json:"displayName"`
			Type         model.Label  `json:"type"`
			Tier         *model.Label `json:"tier"`
		}{i.InternalName, i.DisplayName, i.Type, i.Tier}
	})
}

func (q queryResolver) Items(
	ctx context.Context, page model.PageArgs, filter *model.ItemFilter, order *model.ItemOrder,
) (*model.ItemConnection, error) {
	items, err := publicError(loaders.From(ctx).Items.Load(ctx))
	if err != nil {
		return nil, err
	}
	if filter != nil && filter.Identifications != nil {
		if err := checkIdentifications(ctx, filter.Identifications, items.Filters.Identifications); err != nil {
			return nil, err
		}
	}
	found, err := selectItems(items, filter, order)
	if err != nil {
		return nil, err
	}
	graph.NoteMissing(ctx, filter != nil && len(found) < len(filter.InternalNames))
	return connect(found, page, q.PageSize, internalName)
}

func internalName(i *model.Item) string { return i.InternalName }

func (itemResolver) LoreHTML(_ context.Context, i *model.Item) (*string, error) {
	if i.Lore == nil {
		return nil, nil
	}
	html := model.SafeHTML(*i.Lore)
	return &html, nil
}

func (majorIdentificationResolver) HTML(_ context.Context, m *model.MajorIdentification) (string, error) {
	return model.SafeHTML(m.Text), nil
}

// Sets returns the sets that the item names and the sets that name the item.
func (itemResolver) Sets(ctx context.Context, i *model.Item) ([]*model.ItemSet, error) {
	sets, err := publicError(loaders.From(ctx).Sets.Load(ctx))
	if err != nil {
		return nil, err
	}
	out := []*model.ItemSet{}
	named := each(i.SetNames, func(name string) *model.ItemSet { return sets.ByName[name] })
	for _, s := range slices.Concat(named, sets.ByPart[i.InternalName]) {
		if s != nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

func (itemResolver) Recipes(ctx context.Context, i *model.Item) ([]*model.Recipe, error) {
	return fromContent(ctx, loaders.From(ctx).Recipes, func(all *loaders.Recipes) []*model.Recipe {
		return all.ByMaterial[i.InternalName]
	})
}

// LootPools returns the camps and raids that may give an item. Rewards name items by displayName.
func (itemResolver) LootPools(ctx context.Context, i *model.Item) ([]*model.LootPool, error) {
	set := loaders.From(ctx)
	all, err := publicError(set.LootPools.Load(ctx))
	if err != nil || all.ByReward[i.DisplayName] == nil {
		return []*model.LootPool{}, err
	}
	named, err := publicError(set.ItemByTitle.Load(ctx, i.DisplayName)())
	if err != nil || named == nil || named.InternalName != i.InternalName {
		return []*model.LootPool{}, err // the name belongs to another item
	}
	return all.ByReward[i.DisplayName], nil
}

// checkIdentifications rejects filter keys that no item has.
func checkIdentifications(ctx context.Context, given []*model.IdentificationFilter, known []string) error {
	for _, f := range given {
		if !slices.ContainsFunc(known, func(key string) bool { return mongo.Fold(key) == mongo.Fold(f.Key) }) {
			return graph.UnknownName(ctx, graph.InvalidForm, "No item has such an identification.", f.Key, known)
		}
	}
	return nil
}

func (q queryResolver) ItemSet(ctx context.Context, by model.ItemSetBy) (*model.ItemSet, error) {
	sets, err := publicError(loaders.From(ctx).Sets.Load(ctx))
	if err != nil {
		return nil, err
	}
	if by.Name != nil {
		return named(ctx, "item set", sets.All, *by.Name, setName)
	}
	return named(ctx, "item set", sets.All, *by.InternalName, func(s *model.ItemSet) string { return s.InternalName })
}

func (*root) itemSet(ctx context.Context, name string) (*model.ItemSet, error) {
	return fromContent(ctx, loaders.From(ctx).Sets, func(all *loaders.Sets) *model.ItemSet { return all.ByName[name] })
}

func setName(s *model.ItemSet) string { return s.Name }

func (q queryResolver) ItemSets(ctx context.Context, page model.PageArgs, filter *model.ItemSetFilter) (
	*model.ItemSetConnection, error,
) {
	sets, err := publicError(loaders.From(ctx).Sets.Load(ctx))
	if err != nil {
		return nil, err
	}
	found := sets.All
	if filter != nil {
		texts := nameTexts(filter.Query)
		found = only(found, func(s *model.ItemSet) bool {
			return (len(filter.Query) == 0 || containsAny(texts, mongo.Fold(s.Name))) &&
				(len(filter.Names) == 0 || slices.Contains(filter.Names, s.Name))
		})
	}
	graph.NoteMissing(ctx, filter != nil && len(found) < len(filter.Names))
	return connect(found, page, q.PageSize, setName)
}

func (itemSetResolver) Parts(ctx context.Context, s *model.ItemSet) ([]*model.Item, error) {
	return itemsByName(ctx, s.PartNames)
}
