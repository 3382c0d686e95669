package seed_test

import (
	"errors"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// The demo world has records in exactly the collections whose entry in the table says so, apart from those
// that are not game data.
func TestSeededCollections(t *testing.T) {
	store := open(t)
	if err := seed.Run(t.Context(), store, seed.Options{Players: 40, Seed: 1, Now: now}); err != nil {
		t.Fatal(err)
	}
	found := errors.New("found a record")
	for _, c := range mongo.Exported() {
		err := store.Export.Records(t.Context(), c.Name, func(bson.Raw) error { return found })
		if err != nil && !errors.Is(err, found) {
			t.Fatal(err)
		}
		if seeded := err != nil; seeded != c.Seeded {
			t.Errorf("%s: seeded is %t, want %t as in mongo.Collections", c.Name, seeded, c.Seeded)
		}
	}
}
