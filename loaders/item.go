package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Items has the item database.
type Items struct {
	// All are the items by displayName, then internalName.
	All []*model.Item
	// Names are the folded displayName and internalName of each item of All.
	Names [][2]string

	byName  map[string]*model.Item
	byTitle map[string]*model.Item
}

// Titled returns the first item of All with that displayName, or nil.
func (i *Items) Titled(displayName string) *model.Item { return i.byTitle[displayName] }

// Named returns the item with that internalName, or nil.
func (i *Items) Named(internalName string) *model.Item { return i.byName[internalName] }

func readItems(store *mongo.Store) func(context.Context) (*Items, error) {
	return func(ctx context.Context) (*Items, error) {
		all, err := mongo.Items.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Items{
			All: all, Names: make([][2]string, len(all)), byName: make(map[string]*model.Item, len(all)),
			byTitle: make(map[string]*model.Item, len(all)),
		}
		for n, i := range all {
			out.Names[n] = [2]string{mongo.Fold(i.DisplayName), mongo.Fold(i.InternalName)}
			out.byName[i.InternalName] = i
			if out.byTitle[i.DisplayName] == nil {
				out.byTitle[i.DisplayName] = i
			}
		}
		return out, nil
	}
}

// Items returns the item database.
func (set *Set) Items(ctx context.Context) (*Items, error) {
	return current(ctx, set, &set.source.content.items)
}

// Recipes has the recipe database.
type Recipes struct {
	// All are the recipes by internalName.
	All []*model.Recipe

	byName     map[string]*model.Recipe
	byMaterial map[string][]*model.Recipe
}

// Named returns the recipe with that internalName, or nil.
func (r *Recipes) Named(internalName string) *model.Recipe { return r.byName[internalName] }

// Needing returns the recipes that need a material, by its internalName.
func (r *Recipes) Needing(material string) []*model.Recipe { return r.byMaterial[material] }

func readRecipes(store *mongo.Store) func(context.Context) (*Recipes, error) {
	return func(ctx context.Context) (*Recipes, error) {
		all, err := mongo.Recipes.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Recipes{All: all, byName: make(map[string]*model.Recipe, len(all)), byMaterial: map[string][]*model.Recipe{}}
		for _, r := range all {
			out.byName[r.InternalName] = r
			for n, m := range r.Materials {
				if n == 0 || m.Item != r.Materials[0].Item {
					out.byMaterial[m.Item] = append(out.byMaterial[m.Item], r)
				}
			}
		}
		return out, nil
	}
}

// Recipes returns the recipe database.
func (set *Set) Recipes(ctx context.Context) (*Recipes, error) {
	return current(ctx, set, &set.source.content.recipes)
}

// Sets has all item sets.
type Sets struct {
	// All are the sets by name.
	All []*model.ItemSet

	byName map[string]*model.ItemSet
	byPart map[string][]*model.ItemSet
}

// With returns the sets that list an item among their parts, by its internalName.
func (s *Sets) With(part string) []*model.ItemSet { return s.byPart[part] }

// Named returns the set with that name, or nil.
func (s *Sets) Named(name string) *model.ItemSet { return s.byName[name] }

func readSets(store *mongo.Store) func(context.Context) (*Sets, error) {
	return func(ctx context.Context) (*Sets, error) {
		all, err := mongo.ItemSets.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		out := &Sets{All: all, byName: make(map[string]*model.ItemSet, len(all)), byPart: map[string][]*model.ItemSet{}}
		for _, s := range all {
			out.byName[s.Name] = s
			for _, part := range s.Parts {
				out.byPart[part] = append(out.byPart[part], s)
			}
		}
		return out, nil
	}
}

// Sets returns all item sets.
func (set *Set) Sets(ctx context.Context) (*Sets, error) {
	return current(ctx, set, &set.source.content.sets)
}

// LookupNumbers returns the number of every metadata key.
func (set *Set) LookupNumbers(ctx context.Context) (map[string]int, error) {
	return current(ctx, set, &set.source.content.numbers)
}
