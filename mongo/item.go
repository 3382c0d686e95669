package mongo

import (
	"context"

	"gamedata/graph/model"
)

// Items reads all items by displayName, then internalName, both by code point.
func (s *Store) Items(ctx context.Context) ([]*model.Item, error) {
	return readContent[model.Item](ctx, s, Items, "displayName", "internalName")
}

// PutItems replaces items by internalName, or adds them, and gives every key they bring a
// lookup number.
func (s *Store) PutItems(ctx context.Context, list []*model.Item) error {
	if err := putContent(ctx, s, Items, "internalName", list,
		func(i *model.Item) string { return i.InternalName }); err != nil {
		return err
	}
	return s.AssignLookupNumbers(ctx, LookupKeys(list))
}

// Recipes reads all recipes by internalName, by code point.
func (s *Store) Recipes(ctx context.Context) ([]*model.Recipe, error) {
	return readContent[model.Recipe](ctx, s, Recipes, "internalName")
}

// PutRecipes replaces recipes by internalName, or adds them.
func (s *Store) PutRecipes(ctx context.Context, list []*model.Recipe) error {
	return putContent(ctx, s, Recipes, "internalName", list, func(r *model.Recipe) string { return r.InternalName })
}

// Sets reads all item sets by name.
func (s *Store) Sets(ctx context.Context) ([]*model.ItemSet, error) {
	return readContent[model.ItemSet](ctx, s, ItemSets, "name")
}

// PutSets replaces item sets by name, or adds them, and gives each a lookup number.
func (s *Store) PutSets(ctx context.Context, list []*model.ItemSet) error {
	if err := putContent(ctx, s, ItemSets, "name", list, func(x *model.ItemSet) string { return x.Name }); err != nil {
		return err
	}
	keys := make([]string, len(list))
	for i, x := range list {
		keys[i] = x.InternalName
	}
	return s.AssignLookupNumbers(ctx, keys)
}
