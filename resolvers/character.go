package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) Character(ctx context.Context, by model.CharacterBy) (*model.Character, error) {
	return q.character(ctx, *by.UUID)
}

// character returns a character as the viewer may see it. It finds none of a player who hides their list of characters.
func (*root) character(ctx context.Context, uuid string) (*model.Character, error) {
	return sole(charactersByUUID(ctx, []string{uuid}))
}

// charactersByUUID is the method character for several uuids; nil where there is none.
func charactersByUUID(ctx context.Context, uuids []string) ([]*model.Character, error) {
	found, err := loaders.Many(ctx, loaders.From(ctx).CharacterByUUID, uuids)
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	owners := make([]string, 0, len(found))
	for _, c := range found {
		if c != nil {
			owners = append(owners, c.Owner)
		}
	}
	players, err := playersByUUID(ctx, owners)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Character, len(found))
	for i, c := range found {
		if c == nil {
			continue
		}
		if p := players[0]; p != nil && listsCharacters(p) {
			out[i] = redactCharacter(c, p)
		}
		players = players[1:]
	}
	return out, nil
}

// characterOf returns one character of a player as stored, nil if the player has none with the uuid.
func characterOf(ctx context.Context, p *model.Player, uuid string) (*model.Character, error) {
	c, err := loaders.From(ctx).CharacterByKey.Load(ctx, mongo.CharacterKey{Owner: p.UUID, UUID: uuid})()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return c, nil
}

var characterOrders = map[model.CharacterOrderField]value[*model.Character]{
	model.CharacterOrderFieldLevel:      func(c *model.Character) any { return c.Level },
	model.CharacterOrderFieldTotalLevel: func(c *model.Character) any { return c.TotalLevel },
	model.CharacterOrderFieldUUID:       func(c *model.Character) any { return c.UUID },
}

func matchesCharacter(c *model.Character, f *model.CharacterFilter) bool {
	if f == nil {
		return true
	}
	inMode := func(mode string) bool { return slices.Contains(f.Gamemodes, model.Enums["Gamemode"].Value(mode)) }
	return (f.Classes == nil || slices.Contains(f.Classes, model.Enums["CharacterClass"].Value(c.ClassKey))) &&
		(f.Gamemodes == nil || slices.ContainsFunc(c.Gamemodes, inMode)) &&
		(f.WithData == nil || !*f.WithData || !c.Restricted(model.CharacterDataAccess)) &&
		inRange(f.Level, c.Level)
}

func (characterResolver) Abilities(ctx context.Context, c *model.Character) ([]*model.AbilityMapPage, error) {
	if c.Restricted(model.CharacterBuildAccess) {
		return nil, nil
	}
	return mapFor(ctx, strings.ToLower(c.ClassKey), c)
}
