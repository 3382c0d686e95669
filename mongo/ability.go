package mongo

import (
	"context"

	"gamedata/graph/model"
)

// AbilityTrees reads the trees of all classes.
func (s *Store) AbilityTrees(ctx context.Context) ([]*model.AbilityTree, error) {
	return readContent[model.AbilityTree](ctx, s, AbilityTrees)
}

// PutAbilityTrees replaces trees by class, or adds them.
func (s *Store) PutAbilityTrees(ctx context.Context, list []*model.AbilityTree) error {
	return putContent(ctx, s, AbilityTrees, list, func(t *model.AbilityTree) string { return t.Tree })
}

// AbilityMaps reads the stored maps. The map of a class without one is derived from its tree.
func (s *Store) AbilityMaps(ctx context.Context) ([]*model.AbilityMap, error) {
	return readContent[model.AbilityMap](ctx, s, AbilityMaps)
}

// PutAbilityMaps replaces maps by class, or adds them.
func (s *Store) PutAbilityMaps(ctx context.Context, list []*model.AbilityMap) error {
	return putContent(ctx, s, AbilityMaps, list, func(m *model.AbilityMap) string { return m.Tree })
}

// AspectLists reads the aspects of all classes, those of a class in stored order.
func (s *Store) AspectLists(ctx context.Context) ([]*model.AspectList, error) {
	return readContent[model.AspectList](ctx, s, Aspects)
}

// PutAspectLists replaces all aspects of the classes.
func (s *Store) PutAspectLists(ctx context.Context, list []*model.AspectList) error {
	return putContent(ctx, s, Aspects, list, func(a *model.AspectList) string { return a.Tree })
}

// Classes reads all classes by id.
func (s *Store) Classes(ctx context.Context) ([]*model.Class, error) {
	return readContent[model.Class](ctx, s, Classes)
}

// PutClasses replaces classes by id, or adds them.
func (s *Store) PutClasses(ctx context.Context, list []*model.Class) error {
	return putContent(ctx, s, Classes, list, func(c *model.Class) string { return c.ID })
}
