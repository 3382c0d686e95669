package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Trees has the ability trees of all classes, and the stored maps.
type Trees struct {
	trees map[string]*model.AbilityTree
	maps  map[string][]*model.AbilityMapPage
}

// Tree returns the tree of a class id, or nil.
func (t *Trees) Tree(class string) *model.AbilityTree { return t.trees[class] }

// Map returns the stored map of a class; nil if it has to be derived from the tree.
func (t *Trees) Map(class string) []*model.AbilityMapPage { return t.maps[class] }

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
		out := &Trees{trees: map[string]*model.AbilityTree{}, maps: map[string][]*model.AbilityMapPage{}}
		for _, t := range trees {
			out.trees[t.Tree] = t
		}
		for _, m := range maps {
			out.maps[m.Tree] = m.Pages
		}
		return out, nil
	}
}

// Trees returns the ability trees of all classes.
func (set *Set) Trees(ctx context.Context) (*Trees, error) {
	return current(ctx, set, &set.source.content.trees)
}

// Aspects has the aspects of all classes.
type Aspects struct{ lists map[string][]*model.Aspect }

// Of returns the aspects of a class id in stored order.
func (a *Aspects) Of(class string) []*model.Aspect { return a.lists[class] }

func readAspects(store *mongo.Store) func(context.Context) (*Aspects, error) {
	return func(ctx context.Context) (*Aspects, error) {
		lists, err := mongo.Aspects.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Aspects{lists: map[string][]*model.Aspect{}}
		for _, l := range lists {
			out.lists[l.Tree] = l.Aspects
		}
		return out, nil
	}
}

// Aspects returns the aspects of all classes.
func (set *Set) Aspects(ctx context.Context) (*Aspects, error) {
	return current(ctx, set, &set.source.content.aspects)
}

// Classes has all classes.
type Classes struct {
	// All are the classes by id.
	All []*model.Class

	byID map[string]*model.Class
}

// Named returns the class with that id, or nil.
func (c *Classes) Named(id string) *model.Class { return c.byID[id] }

func readClasses(store *mongo.Store) func(context.Context) (*Classes, error) {
	return func(ctx context.Context) (*Classes, error) {
		all, err := mongo.Classes.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Classes{All: all, byID: make(map[string]*model.Class, len(all))}
		for _, c := range all {
			out.byID[c.ID] = c
		}
		return out, nil
	}
}

// Classes returns all classes.
func (set *Set) Classes(ctx context.Context) (*Classes, error) {
	return current(ctx, set, &set.source.content.classes)
}
