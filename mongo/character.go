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
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, characterUUID), nil
}

// CharactersByOwner reads the characters of each player by the player's uuid, in one
// order that does not change between calls.
func (s *Store) CharactersByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}})
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
	return insert(ctx, s.db.Collection(Characters), cs)
}

// PutCharacters replaces characters by uuid, or adds them, and purges their players.
func (s *Store) PutCharacters(ctx context.Context, cs []*model.Character) error {
	if err := put(ctx, s.db.Collection(Characters), "_id", cs, characterUUID); err != nil {
		return err
	}
	return purgeRecords(ctx, s, "player", cs, func(c *model.Character) string { return c.Owner })
}

// SetUnlockedAbilities replaces the abilities that a character has unlocked. ErrNotFound when there is no
// such character.
func (s *Store) SetUnlockedAbilities(ctx context.Context, character string, abilities []string) error {
	r, err := s.db.Collection(Characters).UpdateOne(ctx, bson.D{{Key: "_id", Value: character}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "unlocked", Value: abilities}}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

func characterUUID(c *model.Character) string { return c.UUID }
