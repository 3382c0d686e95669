package mongo_test

import (
	"slices"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A character that changes its owner is stored once.
func TestCharacterChangesOwner(t *testing.T) {
	store, _ := mongotest.Open(t)
	var purged []string
	store.OnPurge(func(tags ...string) { purged = append(purged, tags...) })
	character, before, after := mongotest.UUID(1), mongotest.UUID(2), mongotest.UUID(3)
	for _, owner := range []string{before, after} {
		purged = nil
		err := store.Characters.Put(t.Context(), []*model.Character{
			{UUID: character, Owner: owner, ClassKey: "MAGE", Level: len(owner)},
		})
		check(t, err)
	}
	if want := []string{"player:" + before, "player:" + after}; !slices.Equal(purged, want) {
		t.Errorf("purged %q, want %q", purged, want)
	}
	found, err := store.Characters.ByKey(t.Context(), []mongo.CharacterKey{{before, character}, {after, character}})
	if err != nil || found[0] != nil || found[1] == nil || found[1].Level == 0 {
		t.Errorf("found %v, %v, want that of the new owner only", found, err)
	}
	owned, err := store.Characters.ByOwner(t.Context(), []string{before, after})
	if err != nil || len(owned[0]) != 0 || len(owned[1]) != 1 {
		t.Errorf("the players have %v, %v", owned, err)
	}
}
