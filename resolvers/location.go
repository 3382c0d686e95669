package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// PlayerLocations returns the caller's own players. Access rules do not hide their locations, but do hide the players
// around them. It returns nil if no player has a location.
func (queryResolver) PlayerLocations(ctx context.Context) ([]*model.PlayerLocation, error) {
	own, err := ownOnline(ctx)
	if err != nil {
		return nil, err
	}
	relations, err := loadRelations(ctx, own...)
	if err != nil {
		return nil, err
	}
	var out []*model.PlayerLocation
	for _, p := range inNameOrder(own) {
		if p.ActiveCharacter == nil || p.Location == nil {
			continue
		}
		out = append(out, &model.PlayerLocation{
			UUID: p.UUID, Name: p.Username, Nickname: p.Nickname, Character: *p.ActiveCharacter, World: p.World,
			Position: p.Location, Player: redactPlayer(p, relations.with(p)), Record: p,
		})
	}
	return out, nil
}

func (playerLocationResolver) Character(ctx context.Context, l *model.PlayerLocation) (*model.Character, error) {
	return shownCharacter(ctx, l.Player, l.Character)
}

func (companionLocationResolver) Character(ctx context.Context, l *model.CompanionLocation) (*model.Character, error) {
	return shownCharacter(ctx, l.Player, l.Character)
}

func (playerLocationResolver) Friends(ctx context.Context, l *model.PlayerLocation) (
	[]*model.CompanionLocation, error,
) {
	friends, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, l.Record.Friends)
	return companions(ctx, l, friends, err)
}

func (playerLocationResolver) Party(ctx context.Context, l *model.PlayerLocation) ([]*model.CompanionLocation, error) {
	if l.Record.Party == "" {
		return []*model.CompanionLocation{}, nil
	}
	party, err := loaders.From(ctx).PlayersByParty.Load(ctx, l.Record.Party)()
	return companions(ctx, l, party, err)
}

func (playerLocationResolver) Guild(ctx context.Context, l *model.PlayerLocation) ([]*model.CompanionLocation, error) {
	if l.Record.Guild == nil {
		return []*model.CompanionLocation{}, nil
	}
	members, err := loaders.From(ctx).PlayersByGuild.Load(ctx, l.Record.Guild.UUID)()
	return companions(ctx, l, members, err)
}

// companions returns the players in a list who accompany a player: others on the same world whom the viewer sees
// online.
func companions(ctx context.Context, with *model.PlayerLocation, players []*model.Player, err error) (
	[]*model.CompanionLocation, error,
) {
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	out := []*model.CompanionLocation{}
	for _, p := range inNameOrder(players) {
		if !together(with.Record, p) || !showsOnline(p, relations.with(p)) {
			continue
		}
		out = append(out, &model.CompanionLocation{
			UUID: p.UUID, Name: p.Username, Nickname: p.Nickname, Character: *p.ActiveCharacter, World: p.World,
			Position: p.Location, Player: redactPlayer(p, relations.with(p)),
		})
	}
	return out, nil
}

// together reports whether another player has a location on the player's world.
func together(own, other *model.Player) bool {
	return other.UUID != own.UUID && other.Online && own.World != nil && other.World != nil &&
		*other.World == *own.World && other.ActiveCharacter != nil && other.Location != nil
}

// inNameOrder returns the players without nil, sorted by name, then uuid.
func inNameOrder(players []*model.Player) []*model.Player {
	out := slices.DeleteFunc(slices.Clone(players), func(p *model.Player) bool { return p == nil })
	slices.SortFunc(out, func(a, b *model.Player) int {
		return cmp.Or(strings.Compare(a.Username, b.Username), strings.Compare(a.UUID, b.UUID))
	})
	return out
}
