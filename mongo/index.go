package mongo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// createIndexes creates the indexes of all collections. Every query of this package is served by one
// of them or by _id; a test checks it with the counters of the embedded server.
func (s *Store) createIndexes(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	for _, c := range Collections {
		var models []driver.IndexModel
		for _, ix := range c.indexes() {
			models = append(models, ix.model())
		}
		if len(models) == 0 {
			continue
		}
		if _, err := s.db.Database.Collection(c.Name).Indexes().CreateMany(ctx, models); err != nil {
			return translateError(err)
		}
	}
	return nil
}

func (ix Index) model() driver.IndexModel {
	keys := bson.D{}
	for _, f := range ix.Fields {
		name, descending := strings.CutPrefix(f, "-")
		direction := 1
		if descending {
			direction = -1
		}
		keys = append(keys, bson.E{Key: name, Value: direction})
	}
	o := options.Index()
	if ix.Unique {
		o.SetUnique(true)
	}
	if ix.Exists != "" {
		o.SetPartialFilterExpression(bson.D{{Key: ix.Exists, Value: bson.D{{Key: "$exists", Value: true}}}})
	}
	if ix.Expires {
		o.SetExpireAfterSeconds(0)
	}
	return driver.IndexModel{Keys: keys, Options: o}
}

// MissingIndexes returns the indexes that the store does not have, each as collection(field, field).
// Indexes are created when a store is opened, so a missing one has been dropped since.
func (s *Store) MissingIndexes(ctx context.Context) ([]string, error) {
	var missing []string
	for _, c := range Collections {
		if len(c.indexes()) == 0 {
			continue
		}
		existing, err := s.existingIndexes(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		for _, ix := range c.indexes() {
			if fields := strings.Join(ix.Fields, ", "); !slices.Contains(existing, fields) {
				missing = append(missing, c.Name+"("+fields+")")
			}
		}
	}
	slices.Sort(missing)
	return missing, nil
}

func (s *Store) existingIndexes(ctx context.Context, collection string) ([]string, error) {
	cursor, err := s.db.Database.Collection(collection).Indexes().List(ctx)
	if err != nil {
		return nil, translateError(err)
	}
	var found []struct {
		Key bson.D `bson:"key"`
	}
	if err := cursor.All(ctx, &found); err != nil {
		return nil, translateError(err)
	}
	out := make([]string, len(found))
	for i, f := range found {
		var fields []string
		for _, e := range f.Key {
			name := e.Key
			if strings.HasPrefix(fmt.Sprint(e.Value), "-") {
				name = "-" + name
			}
			fields = append(fields, name)
		}
		out[i] = strings.Join(fields, ", ")
	}
	return out, nil
}
