package seed_test

import (
	"path"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/demo/content"
)

// The store has every field of the content: none is unknown to the structs that the content is read into.
func TestContentIsStored(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{
		"items", "sets", "recipes", "classes", "abilityTrees", "aspects", "country/mapMarkers", "country/gatheringNodes",
		"country/worldEvents", "country/lootPools", "country/discoveries", "videos", "latestNews",
	} {
		t.Run(kind, func(t *testing.T) {
			records, want, got := 0, map[string]bool{}, map[string]bool{}
			for _, document := range content.Read[bson.D](kind) {
				records++
				addPaths(want, "", *document)
			}
			err := seeded(t).store.Export.Records(t.Context(), path.Base(kind), func(document bson.Raw) error {
				records--
				if entry, ok := document.Lookup("entry").DocumentOK(); ok {
					document = entry
				}
				var fields bson.D
				err := bson.Unmarshal(document, &fields)
				addPaths(got, "", fields)
				return err
			})
			if err != nil || records != 0 {
				t.Fatalf("%d records are missing, %v", records, err)
			}
			for field := range want {
				if !got[field] {
					t.Errorf("the field %s is not stored", field)
				}
			}
		})
	}
}

// addPaths adds the paths of the fields in a value, without positions in lists.
func addPaths(paths map[string]bool, at string, value any) {
	switch value := value.(type) {
	case bson.D:
		for _, field := range value {
			paths[at+"/"+field.Key] = true
			addPaths(paths, at+"/"+field.Key, field.Value)
		}
	case bson.A:
		for _, element := range value {
			addPaths(paths, at, element)
		}
	}
}
