package mongo

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// CharactersByUUID reads characters in the order of their uuids; nil where none has one.
func (s *Store) CharactersByUUID(ctx context.Context, uuids []string) ([]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(characters), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, characterUUID), nil
}

// CharactersByOwner reads the characters of each player by the player's uuid, in one
// order that does not change between calls.
func (s *Store) CharactersByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(characters), bson.D{{Key: "owner", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	groups := groupedByKey(uuids, found, func(c *model.Character) string { return c.Owner })
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
	}
	return groups, nil
}

// InsertCharacters adds new characters.
func (s *Store) InsertCharacters(ctx context.Context, cs []*model.Character) error {
	return insert(ctx, s.db.Collection(characters), cs)
}

// PutCharacters replaces characters by uuid, or adds them, and purges their players.
func (s *Store) PutCharacters(ctx context.Context, cs []*model.Character) error {
	if err := put(ctx, s.db.Collection(characters), "_id", cs, characterUUID); err != nil {
		return err
	}
	return purgeRecords(ctx, s, "player", cs, func(c *model.Character) string { return c.Owner })
}

func characterUUID(c *model.Character) string { return c.UUID }
