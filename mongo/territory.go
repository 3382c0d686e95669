package mongo

import (
	"context"

	"gamedata/graph/model"
)

// Territories reads all territories whole, by name.
func (s *Store) Territories(ctx context.Context) ([]*model.Territory, error) {
	return content[model.Territory](ctx, s, territories, "name")
}

// PutTerritories replaces territories by name, or adds them.
func (s *Store) PutTerritories(ctx context.Context, list []*model.Territory) error {
	return put(ctx, s.db.Collection(territories), "name", list, func(t *model.Territory) string { return t.Name })
}
