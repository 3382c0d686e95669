package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Trees has the ability trees of all classes.
type Trees struct {
	// ByClass are the trees by class key.
	ByClass map[string]*model.AbilityTree
	// Parts are the parts of the trees by class key.
	Parts map[string]*model.AbilityIndex
	// Maps are the stored maps by class key; others have to be derived from the tree.
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
		out := &Trees{
			index(trees, func(t *model.AbilityTree) string { return t.Key }),
			map[string]*model.AbilityIndex{},
			map[string][]*model.AbilityMapPage{},
		}
		for _, t := range trees {
			out.Parts[t.Key] = t.Link()
		}
		for _, m := range maps {
			out.Maps[m.Tree] = m.Pages
			if parts := out.Parts[m.Tree]; parts != nil {
				parts.LinkMap(m.Pages)
			}
		}
		return out, nil
	}
}

// Aspects has the aspects of all classes.
type Aspects struct {
	// All are by class, and then in stored order.
	All []*model.Aspect
	// ByClass are the aspects by class key, in stored order.
	ByClass map[string][]*model.Aspect
	// ByKey are the aspects by internal name, ByName by name.
	ByKey, ByName map[string]*model.Aspect
}

func newAspects(lists []*model.AspectList) *Aspects {
	out := &Aspects{ByClass: make(map[string][]*model.Aspect, len(lists))}
	for _, l := range lists {
		out.ByClass[l.Tree] = l.Aspects
	}
	for _, class := range model.ClassIDs {
		out.All = append(out.All, out.ByClass[class]...)
	}
	out.ByKey = index(out.All, func(a *model.Aspect) string { return a.InternalName })
	out.ByName = index(out.All, func(a *model.Aspect) string { return a.Name })
	return out
}

// Classes has all classes.
type Classes struct {
	All   []*model.Class // by key
	ByKey map[string]*model.Class
}

func newClasses(all []*model.Class) *Classes {
	return &Classes{all, index(all, func(c *model.Class) string { return c.Key })}
}
