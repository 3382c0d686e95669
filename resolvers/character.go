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
	found, err := charactersByUUID(ctx, []string{uuid})
	if err != nil {
		return nil, err
	}
	return found[0], nil
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

func charactersOf(ctx context.Context, p *model.Player) ([]*model.Character, error) {
	found, err := loaders.From(ctx).CharactersByOwner.Load(ctx, p.UUID)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return each(found, func(c *model.Character) *model.Character { return redactCharacter(c, p) }), nil
}

// characterOf returns one character of a player as stored, nil if the player has none with the uuid.
func characterOf(ctx context.Context, p *model.Player, uuid string) (*model.Character, error) {
	c, err := loaders.From(ctx).CharacterByKey.Load(ctx, mongo.CharacterKey{Owner: p.UUID, UUID: uuid})()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return c, nil
}

func characterList(all []*model.Character, f *model.CharacterFilter, order *model.CharacterOrder) []*model.Character {
	list := only(all, func(c *model.Character) bool { return matchesCharacter(c, f) })
	if order == nil {
		return list
	}
	return sorted(list, characterOrders[order.Field], order.Direction)
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

// abilitiesOf returns the map of a character's unlocked abilities, which can be laid over the map of the class. A
// stored map takes precedence over the derived one.
func abilitiesOf(ctx context.Context, c *model.Character) ([]*model.AbilityMapPage, error) {
	trees, err := loaders.From(ctx).Trees.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	class := strings.ToLower(c.ClassKey)
	t := trees.ByClass[class]
	if t == nil {
		return nil, graph.ErrTreeNotRendered
	}
	if own := trees.Maps[class]; own != nil {
		return selectUnlocked(own, c.Unlocked), nil
	}
	pages, err := mapOfUnlocked(t, c.Unlocked)
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	return pages, nil
}

func (r characterResolver) Class(ctx context.Context, c *model.Character) (*model.Class, error) {
	return r.class(ctx, strings.ToLower(c.ClassKey))
}

func (characterResolver) Abilities(ctx context.Context, c *model.Character) ([]*model.AbilityMapPage, error) {
	if c.Restricted(model.CharacterBuildAccess) {
		return nil, nil
	}
	return abilitiesOf(ctx, c)
}
