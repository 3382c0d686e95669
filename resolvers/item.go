package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

const maxNames = 500

func (q queryResolver) ItemDatabase(ctx context.Context, page int, fullResult bool) (*model.ItemPage, error) {
	items, err := loaders.From(ctx).Items(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	info, results, err := pageOf(items.All, page, q.pageSize, fullResult)
	if err != nil {
		return nil, err
	}
	return &model.ItemPage{Controller: info, Results: results}, nil
}

func (q queryResolver) ItemSearch(ctx context.Context, filter model.ItemSearchRequest, page int, fullResult bool) (
	*model.ItemPage, error,
) {
	items, err := loaders.From(ctx).Items(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	matches, err := searchItems(items, q.filters(items), filter)
	if err != nil {
		return nil, err
	}
	info, results, err := pageOfMatches(matches, page, q.pageSize, fullResult)
	if err != nil {
		return nil, err
	}
	return &model.ItemPage{Controller: info, Results: results}, nil
}

func (queryResolver) ItemsByName(ctx context.Context, text string) ([]*model.Item, error) {
	text, ok := searchText(text)
	if !ok || text == "" {
		return nil, graph.ErrNotFound
	}
	items, err := loaders.From(ctx).Items(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	found := itemsNamed(items, text)
	if len(found) == 0 {
		return nil, graph.ErrNotFound
	}
	return found, nil
}

func (queryResolver) Items(ctx context.Context, internalNames []string) ([]*model.Item, error) {
	if err := checkNames(internalNames); err != nil {
		return nil, err
	}
	return itemsByKey(ctx, internalNames)
}

func checkNames(names []string) error {
	if len(names) < 1 || len(names) > maxNames {
		return graph.Errorf(graph.InvalidQueryParams, "internalNames must hold 1 to %d names.", maxNames)
	}
	return nil
}

// itemsByKey returns the items with some internal names in their order, nil for unknown ones.
func itemsByKey(ctx context.Context, internalNames []string) ([]*model.Item, error) {
	items, err := loaders.From(ctx).Items(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return each(internalNames, func(name string) *model.Item { return items.ByName[name] }), nil
}

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

// ItemSets returns the sets that the item names and those that name the item.
func (itemResolver) ItemSets(ctx context.Context, i *model.Item) ([]*model.ItemSet, error) {
	sets, err := loaders.From(ctx).Sets(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	out := []*model.ItemSet{}
	seen := map[string]bool{}
	add := func(s *model.ItemSet) {
		if s != nil && !seen[s.Name] {
			seen[s.Name] = true
			out = append(out, s)
		}
	}
	for _, name := range i.Sets {
		add(sets.ByName[name])
	}
	for _, s := range sets.ByPart[i.InternalName] {
		add(s)
	}
	return out, nil
}

func (itemResolver) Recipes(ctx context.Context, i *model.Item) ([]*model.Recipe, error) {
	recipes, err := stored(loaders.From(ctx).Recipes(ctx))
	if err != nil {
		return nil, err
	}
	return recipes.ByMaterial[i.InternalName], nil
}

func (queryResolver) ItemSets(ctx context.Context) ([]*model.ItemSet, error) {
	sets, err := loaders.From(ctx).Sets(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if sets.All == nil {
		return []*model.ItemSet{}, nil
	}
	return sets.All, nil
}

func (itemSetResolver) Items(ctx context.Context, s *model.ItemSet) ([]*model.Item, error) {
	return itemsByKey(ctx, s.Parts)
}
