package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Trees holds the ability trees of all classes.
type Trees struct {
	// ByClass maps a class key to its tree.
	ByClass map[string]*model.AbilityTree
	// Parts maps a class key to the parts of its tree.
	Parts map[string]*model.AbilityIndex
	// Maps maps a class key to its stored map. Other maps must be derived from the tree.
	Maps map[string][]*model.AbilityMapPage
}

func (s *Source) readTrees(ctx context.Context) (*Trees, error) {
	trees, err := mongo.AbilityTrees.Read(ctx, s.store)
	if err != nil {
		return nil, err
	}
	maps, err := mongo.AbilityMaps.Read(ctx, s.store)
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

// Aspects holds the aspects of all classes.
type Aspects struct {
	// All is sorted by class, then in stored order.
	All []*model.Aspect
	// ByClass maps a class key to its aspects in stored order.
	ByClass map[string][]*model.Aspect
	// ByKey maps an internal name to its aspect, ByName a name.
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
