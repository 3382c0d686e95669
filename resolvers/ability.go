package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// parseClass parses a class identifier, case ignored.
func parseClass(s string) (string, error) {
	if id := strings.ToLower(s); slices.Contains(model.ClassIDs, id) {
		return id, nil
	}
	return "", graph.ErrInvalidTree
}

func (queryResolver) AbilityTree(ctx context.Context, name string) (*model.AbilityTree, error) {
	id, err := parseClass(name)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(ctx, id)
	if err == nil && t == nil {
		err = graph.ErrInvalidTree
	}
	return t, err
}

func (queryResolver) AbilityMap(ctx context.Context, name string) ([]*model.AbilityMapPage, error) {
	t, err := queryResolver{}.AbilityTree(ctx, name)
	if err != nil {
		return nil, err
	}
	return mapFor(ctx, t)
}

func (queryResolver) Aspects(ctx context.Context, name string) ([]*model.Aspect, error) {
	id, err := parseClass(name)
	if err != nil {
		return nil, err
	}
	return aspectsOf(ctx, id)
}

func (queryResolver) Classes(ctx context.Context) ([]*model.Class, error) {
	all, err := loaders.From(ctx).Classes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrClassesNotLoaded)
	}
	if len(all.All) == 0 {
		return nil, graph.ErrClassesNotLoaded
	}
	return all.All, nil
}

func (queryResolver) Class(ctx context.Context, name string) (*model.Class, error) {
	id, err := parseClass(name)
	if err != nil {
		return nil, err
	}
	c, err := classByID(ctx, id)
	if err == nil && c == nil {
		err = graph.ErrClassesNotLoaded
	}
	return c, err
}

func (classResolver) Tree(ctx context.Context, c *model.Class) (*model.AbilityTree, error) {
	return treeOf(ctx, c.ID)
}

func (classResolver) Aspects(ctx context.Context, c *model.Class) ([]*model.Aspect, error) {
	return aspectsOf(ctx, c.ID)
}

func (abilityTreeResolver) Class(ctx context.Context, t *model.AbilityTree) (*model.Class, error) {
	return classByID(ctx, t.Tree)
}

func (abilityTreeResolver) Map(ctx context.Context, t *model.AbilityTree) ([]*model.AbilityMapPage, error) {
	return mapFor(ctx, t)
}

func (abilityResolver) DescriptionHTML(_ context.Context, a *model.Ability) (string, error) {
	return lines(a.Description), nil
}

func (aspectResolver) Class(ctx context.Context, a *model.Aspect) (*model.Class, error) {
	return classByID(ctx, a.RequiredClass)
}

func (aspectTierResolver) DescriptionHTML(_ context.Context, t *model.AspectTier) (string, error) {
	return lines(t.Description), nil
}

// lines joins lines of markup to one text that is safe in a page.
func lines(list []model.Markup) string {
	return strings.Join(each(list, model.SafeHTML), "<br>")
}

// mapFor returns the map of a tree: the stored one if there is one, else the derived one.
func mapFor(ctx context.Context, t *model.AbilityTree) ([]*model.AbilityMapPage, error) {
	trees, err := loaders.From(ctx).Trees(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	if stored := trees.Maps[t.Tree]; stored != nil {
		return stored, nil
	}
	pages, err := mapOf(t)
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	return pages, nil
}

func treeOf(ctx context.Context, class string) (*model.AbilityTree, error) {
	trees, err := stored(loaders.From(ctx).Trees(ctx))
	if err != nil {
		return nil, err
	}
	return trees.ByClass[class], nil
}

func aspectsOf(ctx context.Context, class string) ([]*model.Aspect, error) {
	byClass, err := loaders.From(ctx).Aspects(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return append([]*model.Aspect{}, byClass[class]...), nil
}

func classByID(ctx context.Context, id string) (*model.Class, error) {
	all, err := loaders.From(ctx).Classes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrClassesNotLoaded)
	}
	return all.ByID[id], nil
}
