package resolvers

import (
	"context"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (queryResolver) PlayerCharacters(ctx context.Context, username string) ([]*model.Character, error) {
	p, err := findPlayer(ctx, username)
	if err != nil {
		return nil, err
	}
	if !listsCharacters(p) {
		return nil, graph.ErrCharacterListHidden
	}
	list, err := charactersOf(ctx, p)
	if err == nil && len(list) == 0 {
		err = graph.ErrNoCharacter
	}
	return list, err
}

func (queryResolver) Character(ctx context.Context, username, uuid string) (*model.Character, error) {
	p, err := findPlayer(ctx, username)
	if err != nil {
		return nil, err
	}
	if !showsCharacterData(p) {
		return nil, graph.ErrCharacterDataHidden
	}
	return characterOf(ctx, p, uuid)
}

func (queryResolver) CharacterAbilities(ctx context.Context, username, uuid string) ([]*model.AbilityMapPage, error) {
	p, err := findPlayer(ctx, username)
	if err != nil {
		return nil, err
	}
	if p.Restrictions.CharacterBuildAccess {
		return nil, graph.ErrCharacterBuildsHidden
	}
	c, err := characterOf(ctx, p, uuid)
	if err != nil {
		return nil, err
	}
	return abilitiesOf(ctx, c)
}

// charactersOf returns the characters of a player as the viewer may see them.
func charactersOf(ctx context.Context, p *model.Player) ([]*model.Character, error) {
	found, err := loaders.From(ctx).CharactersByOwner.Load(ctx, p.UUID)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return each(found, func(c *model.Character) *model.Character { return redactCharacter(c, p.Restrictions) }), nil
}

// characterOf returns one character of a player. Malformed and unknown uuids and those of other players'
// characters have the same error.
func characterOf(ctx context.Context, p *model.Player, ref string) (*model.Character, error) {
	uuid, ok := model.ParseUUID(ref)
	if !ok {
		return nil, graph.ErrInvalidCharacterUUID
	}
	c, err := loaders.From(ctx).CharacterByUUID.Load(ctx, uuid)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	if c == nil || c.Owner != p.UUID {
		return nil, graph.ErrInvalidCharacterUUID
	}
	return redactCharacter(c, p.Restrictions), nil
}

// abilitiesOf returns the map of what a character unlocked of its class's tree, so that it can be laid over the map of
// the class: the stored one if there is one, else the derived one.
func abilitiesOf(ctx context.Context, c *model.Character) ([]*model.AbilityMapPage, error) {
	trees, err := loaders.From(ctx).Trees(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	class := strings.ToLower(c.Type)
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

func (characterResolver) Player(ctx context.Context, c *model.Character) (*model.Player, error) {
	return playerByUUID(ctx, c.Owner)
}

func (characterResolver) Class(ctx context.Context, c *model.Character) (*model.Class, error) {
	return classByKey(ctx, strings.ToLower(c.Type))
}

func (characterResolver) Abilities(ctx context.Context, c *model.Character) ([]*model.AbilityMapPage, error) {
	if c.Restrictions.CharacterBuildAccess {
		return nil, nil
	}
	return abilitiesOf(ctx, c)
}

func (lightCharacterResolver) Character(ctx context.Context, c *model.Character) (*model.Character, error) {
	p, err := playerByUUID(ctx, c.Owner)
	if err != nil || p == nil || !showsCharacterData(p) {
		return nil, err
	}
	return c, nil
}
