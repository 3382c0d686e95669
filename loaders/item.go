package loaders

import (
	"gamedata/graph/model"
	"gamedata/mongo"
)

// Items has the item database.
type Items struct {
	// All are the items by displayName, then internalName.
	All []*model.Item
	// Names are the folded displayName and internalName of each item of All.
	Names [][2]string
	// Filters are the values by which items can be filtered.
	Filters *model.ItemFilters
}

func newItems(all []*model.Item) *Items {
	out := &Items{All: all, Names: make([][2]string, len(all)), Filters: filtersOf(all)}
	for n, i := range all {
		out.Names[n] = [2]string{mongo.Fold(i.DisplayName), mongo.Fold(i.InternalName)}
	}
	return out
}

// Recipes has the recipe database.
type Recipes struct {
	All []*model.Recipe // by internalName
	// ByName are the recipes by internalName, ByMaterial the recipes that need a material, by its internalName.
	ByName     map[string]*model.Recipe
	ByMaterial map[string][]*model.Recipe
}

func newRecipes(all []*model.Recipe) *Recipes {
	byName := index(all, func(r *model.Recipe) string { return r.InternalName })
	out := &Recipes{all, byName, map[string][]*model.Recipe{}}
	for _, r := range all {
		for n, m := range r.Materials {
			if n == 0 || m.ItemName != r.Materials[0].ItemName {
				out.ByMaterial[m.ItemName] = append(out.ByMaterial[m.ItemName], r)
			}
		}
	}
	return out
}

// Sets has all item sets.
type Sets struct {
	All []*model.ItemSet // by name
	// ByName are the sets by name, ByPart the sets with an item among their parts, by its internalName.
	ByName map[string]*model.ItemSet
	ByPart map[string][]*model.ItemSet
}

func newSets(all []*model.ItemSet) *Sets {
	out := &Sets{all, index(all, func(s *model.ItemSet) string { return s.Name }), map[string][]*model.ItemSet{}}
	for _, s := range all {
		for _, part := range s.PartNames {
			out.ByPart[part] = append(out.ByPart[part], s)
		}
	}
	return out
}
