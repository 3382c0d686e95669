package mongo

import (
	"context"

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

func (s *Store) territories(ctx context.Context, fields bson.D) ([]*model.Territory, error) {
	return find[model.Territory](ctx, s.db.Collection(Territories), bson.D{}, sortedBy("name").SetProjection(fields))
}

// PutTerritories replaces territories by name, or adds them.
func (s *Store) PutTerritories(ctx context.Context, list []*model.Territory) error {
	return put(ctx, s, Territories, list, territoryName)
}

func territoryName(t *model.Territory) string { return t.Name }

// ReplaceTerritories stores these territories and deletes all others.
func (s *Store) ReplaceTerritories(ctx context.Context, list []*model.Territory) error {
	if err := s.PutTerritories(ctx, list); err != nil {
		return err
	}
	others := bson.D{{Key: "name", Value: bson.D{{Key: "$nin", Value: each(list, territoryName)}}}}
	ctx = withLongTimeout(ctx)
	c := s.db.Collection(Territories)
	deleted, err := find[model.Territory](ctx, c, others)
	if err != nil {
		return err
	}
	if err := c.putDeletions(ctx, followedCollections[Territories].kind, each(deleted, territoryName),
		updateTime()); err != nil {
		return translateError(err)
	}
	_, err = c.DeleteMany(ctx, others)
	return translateError(err)
}
