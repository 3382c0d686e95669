package mongo

import (
	"context"

	"gamedata/graph/model"
)

// AbilityTrees reads the trees of all classes.
func (s *Store) AbilityTrees(ctx context.Context) ([]*model.AbilityTree, error) {
	return readContent[model.AbilityTree](ctx, s, AbilityTrees, "tree")
}

// PutAbilityTrees replaces trees by class, or adds them.
func (s *Store) PutAbilityTrees(ctx context.Context, list []*model.AbilityTree) error {
	return putContent(ctx, s, AbilityTrees, "tree", list, func(t *model.AbilityTree) string { return t.Tree })
}

// AbilityMaps reads the maps that the content brings itself; a class without one has its
// map derived from the tree.
func (s *Store) AbilityMaps(ctx context.Context) ([]*model.AbilityMap, error) {
	return readContent[model.AbilityMap](ctx, s, AbilityMaps, "tree")
}

// PutAbilityMaps replaces maps by class, or adds them.
func (s *Store) PutAbilityMaps(ctx context.Context, list []*model.AbilityMap) error {
	return putContent(ctx, s, AbilityMaps, "tree", list, func(m *model.AbilityMap) string { return m.Tree })
}

// AspectLists reads the aspects of all classes; inside a class they keep stored order.
func (s *Store) AspectLists(ctx context.Context) ([]*model.AspectList, error) {
	return readContent[model.AspectList](ctx, s, Aspects, "tree")
}

// PutAspectLists replaces the aspects of a class as a whole, or adds them.
func (s *Store) PutAspectLists(ctx context.Context, list []*model.AspectList) error {
	return putContent(ctx, s, Aspects, "tree", list, func(a *model.AspectList) string { return a.Tree })
}

// Classes reads all classes by id.
func (s *Store) Classes(ctx context.Context) ([]*model.Class, error) {
	return readContent[model.Class](ctx, s, Classes, "id")
}

// PutClasses replaces classes by id, or adds them.
func (s *Store) PutClasses(ctx context.Context, list []*model.Class) error {
	return putContent(ctx, s, Classes, "id", list, func(c *model.Class) string { return c.ID })
}
