package mongo

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// A territory's holder and its resources change at different rates, so they are read separately.

// TerritoryStore reads and writes territories.
type TerritoryStore struct{ gameTable[model.Territory] }

// All reads all territories by name, without their resources.
func (s *TerritoryStore) All(ctx context.Context) ([]*model.Territory, error) {
	var fields []string
	for _, f := range recordTypeOf[model.Territory]().fields {
		if f.name != "resources" {
			fields = append(fields, f.name)
		}
	}
	return s.read(ctx, projection(fields...))
}

// Resources reads the resources of all territories by territory name.
func (s *TerritoryStore) Resources(ctx context.Context) (map[string][]*model.TerritoryResource, error) {
	all, err := s.read(ctx, projection("name", "resources"))
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*model.TerritoryResource, len(all))
	for _, t := range all {
		out[t.Name] = t.Resources
	}
	return out, nil
}

// Records reads all territories by name, with their resources.
func (s *TerritoryStore) Records(ctx context.Context) ([]*model.Territory, error) {
	return s.read(ctx, bson.D{})
}

func (s *TerritoryStore) read(ctx context.Context, fields bson.D) ([]*model.Territory, error) {
	return find[model.Territory](ctx, s.db.Collection(Territories), bson.D{}, sortedBy("name").SetProjection(fields))
}

func territoryName(t *model.Territory) string { return t.Name }

// Replace stores these territories and deletes all others.
func (s *TerritoryStore) Replace(ctx context.Context, list []*model.Territory) error {
	return s.store.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) error {
		stored, err := s.Records(ctx)
		if err != nil {
			return err
		}
		var changes []Change
		for _, t := range stored {
			if !slices.ContainsFunc(list, func(other *model.Territory) bool { return other.Name == t.Name }) {
				changes = append(changes, Save(t, nil))
			}
		}
		if err := s.store.Apply(ctx, changes...); err != nil {
			return err
		}
		return s.Put(ctx, list)
	})
}
