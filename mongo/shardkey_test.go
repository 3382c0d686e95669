package mongo_test

import (
	"slices"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// MongoDB enforces a unique index of a sharded collection only if it begins with the shard key, and needs an index that
// begins with the key to shard a collection that has records.
func TestShardKeysAndIndexes(t *testing.T) {
	for _, c := range mongo.Collections {
		key := c.ShardKey.Fields
		if key == nil {
			continue
		}
		if !slices.Equal(key, []string{"_id"}) && !slices.ContainsFunc(c.Indexes, func(ix mongo.Index) bool {
			return ix.Exists == "" && ix.True == "" && beginsWith(ix.Fields, key)
		}) {
			t.Errorf("%s has no index that begins with its shard key %s", c.Name, c.ShardKey)
		}
		if c.Key != "" {
			t.Errorf("the unique key %s of %s does not begin with the shard key %s", c.Key, c.Name, c.ShardKey)
		}
		for _, ix := range c.Indexes {
			if ix.Unique && !beginsWith(ix.Fields, key) {
				t.Errorf("the unique index %v of %s does not begin with the shard key %s", ix.Fields, c.Name, c.ShardKey)
			}
		}
		if c.ShardKey.Hashed && (len(key) > 1 || c.ShardKey.Values != nil) {
			t.Errorf("the key of %s is hashed: it has one field, and is not split by its values", c.Name)
		}
	}
}

func beginsWith(list, start []string) bool {
	return len(list) >= len(start) && slices.Equal(list[:len(start)], start)
}

// The owner is part of the shard key: a character that changes its owner is moved, and not stored twice.
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
		if err != nil {
			t.Fatal(err)
		}
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
