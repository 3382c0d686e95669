package loaders

import (
	"gamedata/graph/model"
	"gamedata/mongo"
)

// Items holds the item database.
type Items struct {
	// All is sorted by displayName, then internalName.
	All []*model.Item
	// Names holds the folded displayName and internalName of each item in All.
	Names [][2]string
	// Filters lists the values by which items can be filtered.
	Filters *model.ItemFilters
}

func newItems(all []*model.Item) *Items {
	out := &Items{All: all, Names: make([][2]string, len(all)), Filters: filtersOf(all)}
	for n, i := range all {
		out.Names[n] = [2]string{mongo.Fold(i.DisplayName), mongo.Fold(i.InternalName)}
	}
	return out
}

// Recipes holds the recipe database.
type Recipes struct {
	All []*model.Recipe // by internalName
	// ByName maps an internalName to its recipe. ByMaterial maps a material's internalName to the recipes that need it.
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

// Sets holds all item sets.
type Sets struct {
	All []*model.ItemSet // by name
	// ByName maps a name to its set. ByPart maps an item's internalName to the sets that contain it.
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
