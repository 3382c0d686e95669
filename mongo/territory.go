package mongo

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// A territory's holder and its resources change at different rates, so they are read separately.

// Territories reads all territories by name, without their resources.
func (s *Store) Territories(ctx context.Context) ([]*model.Territory, error) {
	return s.territories(ctx, bson.D{{Key: "resources", Value: 0}})
}

// TerritoryResources reads the resources of all territories by territory name.
func (s *Store) TerritoryResources(ctx context.Context) (map[string][]*model.TerritoryResource, error) {
	all, err := s.territories(ctx, append(projection("name", "resources"), bson.E{Key: "_id", Value: 0}))
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*model.TerritoryResource, len(all))
	for _, t := range all {
		out[t.Name] = t.Resources
	}
	return out, nil
}

// TerritoryRecords reads all territories by name, with their resources.
func (s *Store) TerritoryRecords(ctx context.Context) ([]*model.Territory, error) {
	return s.territories(ctx, bson.D{})
}

func (s *Store) territories(ctx context.Context, fields bson.D) ([]*model.Territory, error) {
	return find[model.Territory](ctx, s.db.Collection(Territories), bson.D{}, sortedBy("name").SetProjection(fields))
}

// PutTerritories replaces territories by name, or adds them.
func (s *Store) PutTerritories(ctx context.Context, list []*model.Territory) error {
	return replace(ctx, s, list, func(ctx context.Context) ([]*model.Territory, error) {
		stored, err := s.TerritoryRecords(ctx)
		return inKeyOrder(each(list, territoryName), stored, territoryName), err
	})
}

func territoryName(t *model.Territory) string { return t.Name }

// ReplaceTerritories stores these territories and deletes all others.
func (s *Store) ReplaceTerritories(ctx context.Context, list []*model.Territory) error {
	return s.Transact(FromPrimary(withLongTimeout(ctx)), func(ctx context.Context) error {
		stored, err := s.TerritoryRecords(ctx)
		if err != nil {
			return err
		}
		var changes []Change
		for _, t := range stored {
			if !slices.ContainsFunc(list, func(other *model.Territory) bool { return other.Name == t.Name }) {
				changes = append(changes, Save(t, nil))
			}
		}
		if err := s.Apply(ctx, changes...); err != nil {
			return err
		}
		return s.PutTerritories(ctx, list)
	})
}
