package mongo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// MissingIndexes names the indexes that queries rely on and that the store does not have, each
// as collection(field, field). They are made when a store is opened, so one is missing when
// somebody dropped it.
func (s *Store) MissingIndexes(ctx context.Context) ([]string, error) {
	there := map[string]bool{}
	seen := map[string]bool{}
	for _, ix := range indexes {
		if seen[ix.collection] {
			continue
		}
		seen[ix.collection] = true
		cursor, err := s.db.Database.Collection(ix.collection).Indexes().List(ctx)
		if err != nil {
			return nil, translateError(err)
		}
		var found []struct {
			Key bson.D `bson:"key"`
		}
		if err := cursor.All(ctx, &found); err != nil {
			return nil, translateError(err)
		}
		for _, f := range found {
			var fields []string
			for _, e := range f.Key {
				name := e.Key
				if strings.HasPrefix(fmt.Sprint(e.Value), "-") {
					name = "-" + name
				}
				fields = append(fields, name)
			}
			there[indexName(ix.collection, fields)] = true
		}
	}
	var missing []string
	for _, ix := range indexes {
		if name := indexName(ix.collection, ix.fields); !there[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing, nil
}

func indexName(collection string, fields []string) string {
	return collection + "(" + strings.Join(fields, ", ") + ")"
}
