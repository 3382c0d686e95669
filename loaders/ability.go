package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Trees has the ability trees of all classes.
type Trees struct {
	// ByClass are the trees by class id.
	ByClass map[string]*model.AbilityTree
	// Maps are the stored maps by class id; others have to be derived from the tree.
	Maps map[string][]*model.AbilityMapPage
}

func readTrees(store *mongo.Store) func(context.Context) (*Trees, error) {
	return func(ctx context.Context) (*Trees, error) {
		trees, err := mongo.AbilityTrees.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		maps, err := mongo.AbilityMaps.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Trees{index(trees, func(t *model.AbilityTree) string { return t.Tree }), map[string][]*model.AbilityMapPage{}}
		for _, m := range maps {
			out.Maps[m.Tree] = m.Pages
		}
		return out, nil
	}
}

// Trees returns the ability trees of all classes.
func (set *Set) Trees(ctx context.Context) (*Trees, error) {
	return current(ctx, set, set.source.content.trees)
}

func aspectsByClass(lists []*model.AspectList) map[string][]*model.Aspect {
	out := make(map[string][]*model.Aspect, len(lists))
	for _, l := range lists {
		out[l.Tree] = l.Aspects
	}
	return out
}

// Aspects returns the aspects of all classes by class id, in stored order.
func (set *Set) Aspects(ctx context.Context) (map[string][]*model.Aspect, error) {
	return current(ctx, set, set.source.content.aspects)
}

// Classes has all classes.
type Classes struct {
	All  []*model.Class // by id
	ByID map[string]*model.Class
}

func newClasses(all []*model.Class) *Classes {
	return &Classes{all, index(all, func(c *model.Class) string { return c.ID })}
}

// Classes returns all classes.
func (set *Set) Classes(ctx context.Context) (*Classes, error) {
	return current(ctx, set, set.source.content.classes)
}
