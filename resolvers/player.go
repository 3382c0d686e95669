package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// maxName is the maximum number of bytes of a username.
const maxName = 64

// maxPlayers is the maximum number of uuids of a filter.
const maxPlayers = 100

func (q queryResolver) Player(ctx context.Context, by model.PlayerBy) (*model.Player, error) {
	switch {
	case by.UUID != nil:
		return q.player(ctx, *by.UUID)
	case by.Username != nil:
		return playerByName(ctx, *by.Username)
	}
	if uuid, ok := model.ParseUUID(*by.Reference); ok {
		return q.player(ctx, uuid)
	}
	return playerByName(ctx, *by.Reference)
}

// playerByName returns the player with a username as the viewer may see them, nil if there is none. It fails if
// there are several.
func playerByName(ctx context.Context, name string) (*model.Player, error) {
	if name == "" || len(name) > maxName {
		return nil, nil
	}
	found, err := loaders.From(ctx).PlayersByName.Load(ctx, name)()
	switch {
	case err != nil:
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	case len(found) == 0:
		return nil, nil
	case len(found) > 1:
		return nil, graph.ErrMultiple(candidates(found))
	}
	return visible(ctx, found[0])
}

// playersByUUID returns players as the viewer may see them, in the order of the uuids, with nil for unknown uuids.
func playersByUUID(ctx context.Context, uuids []string) ([]*model.Player, error) {
	found, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, uuids)
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return visiblePlayers(ctx, found)
}

// players returns the existing players of a list as the viewer may see them.
func (*root) players(ctx context.Context, uuids []string) ([]*model.Player, error) {
	found, err := playersByUUID(ctx, uuids)
	return only(found, func(p *model.Player) bool { return p != nil }), err
}

// visiblePlayers returns records as the viewer may see them; nil for nil.
func visiblePlayers(ctx context.Context, records []*model.Player) ([]*model.Player, error) {
	relations, err := loadRelations(ctx, records...)
	if err != nil {
		return nil, err
	}
	return each(records, func(p *model.Player) *model.Player {
		if p == nil {
			return nil
		}
		return redactPlayer(p, relations.with(p))
	}), nil
}

// player returns a player as the viewer may see it, nil if none has the uuid.
func (*root) player(ctx context.Context, uuid string) (*model.Player, error) {
	p, err := loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return visible(ctx, p)
}

// visible returns a record as the viewer may see it; nil for nil.
func visible(ctx context.Context, record *model.Player) (*model.Player, error) {
	return sole(visiblePlayers(ctx, []*model.Player{record}))
}

// sole returns the only element of a list that was read for one key.
func sole[T any](list []T, err error) (one T, _ error) {
	if err == nil {
		one = list[0]
	}
	return one, err
}

// candidate is a player in the error of an ambiguous name, without presence and dates.
type candidate struct {
	Username      string             `json:"username"`
	UUID          string             `json:"uuid"`
	Rank          string             `json:"rank"`
	SupportRank   *model.Label       `json:"supportRank"`
	ShortenedRank *string            `json:"shortenedRank"`
	RankColours   *model.RankColours `json:"legacyRankColour"`
	RankBadge     *string            `json:"rankBadge"`
}

func candidates(found []*model.Player) []any {
	byUUID := func(a, b *model.Player) int { return strings.Compare(a.UUID, b.UUID) }
	found = slices.SortedFunc(slices.Values(found), byUUID)
	return each(found, func(p *model.Player) any {
		return candidate{p.Username, p.UUID, p.Rank, p.SupportRank, p.ShortenedRank, p.RankColours, p.RankBadge}
	})
}

func (r playerResolver) Guild(ctx context.Context, p *model.Player) (*model.Guild, error) {
	if p.Guild == nil {
		return nil, nil
	}
	return r.guild(ctx, p.Guild.UUID)
}

func (playerResolver) Characters(ctx context.Context, p *model.Player, page model.PageArgs,
	filter *model.CharacterFilter, orderBy *model.CharacterOrder,
) (*model.CharacterConnection, error) {
	var list []*model.Character
	if listsCharacters(p) {
		all, err := loaders.From(ctx).CharactersByOwner.Load(ctx, p.UUID)()
		if err != nil {
			return nil, storeError(err, graph.ErrPlayerNotBuilt)
		}
		list = each(all, func(c *model.Character) *model.Character { return redactCharacter(c, p) })
		list = only(list, func(c *model.Character) bool { return matchesCharacter(c, filter) })
		if orderBy != nil {
			list = sorted(list, characterOrders[orderBy.Field], orderBy.Direction)
		}
	}
	return connect(list, page, len(list), (*model.Character).ID)
}

func (playerResolver) Character(ctx context.Context, p *model.Player, by model.CharacterBy) (*model.Character, error) {
	return shownCharacter(ctx, p, *by.UUID)
}

// shownCharacter returns a character of a player as the viewer may see it.
func shownCharacter(ctx context.Context, p *model.Player, uuid string) (*model.Character, error) {
	if !listsCharacters(p) && !showsCharacterData(p) {
		return nil, nil
	}
	c, err := characterOf(ctx, p, uuid)
	if c == nil {
		return nil, err
	}
	return redactCharacter(c, p), nil
}

func (playerResolver) Restricted(_ context.Context, p *model.Player, rule model.AccessRule) (bool, error) {
	return p.Restricted(rule), nil
}

func (playerResolver) ActiveCharacter(ctx context.Context, p *model.Player) (*model.Character, error) {
	if p.ActiveCharacter == nil {
		return nil, nil
	}
	return shownCharacter(ctx, p, *p.ActiveCharacter)
}

func (playerResolver) CharacterAbilities(ctx context.Context, p *model.Player, by model.CharacterBy) (
	[]*model.AbilityMapPage, error,
) {
	if p.Restricted(model.CharacterBuildAccess) {
		return nil, nil
	}
	c, err := characterOf(ctx, p, *by.UUID)
	if c == nil {
		return nil, err
	}
	return mapFor(ctx, strings.ToLower(c.ClassKey), c)
}

func (playerTotalsResolver) GuildRaids(ctx context.Context, d *model.PlayerTotals) (*model.CountList, error) {
	return withZeros(ctx, d.GuildRaids)
}

func (guildHistoryEntryResolver) GuildRaids(ctx context.Context, e *model.GuildHistoryEntry) (
	*model.CountList, error,
) {
	return withZeros(ctx, e.GuildRaids)
}

func (playerResolver) Ranking(ctx context.Context, p *model.Player) ([]*model.RankPosition, error) {
	if p.Banned {
		return []*model.RankPosition{}, nil
	}
	now, err := currentRanking(ctx, loaders.From(ctx).PlayerRanking, p.UUID, p.Ranking)
	return visibleRanking(p, now), err
}

// currentRanking returns the positions of a player or guild. It falls back to the recorded positions until the first
// refresh of the leaderboards after an import.
func currentRanking(ctx context.Context, from loaders.Loader[string, *loaders.Ranking], uuid string,
	recorded []*model.RankPosition,
) ([]*model.RankPosition, error) {
	ranking, err := from.Load(ctx, uuid)()
	switch {
	case err != nil:
		return nil, storeError(err, graph.ErrInternal)
	case ranking == nil && recorded == nil:
		return []*model.RankPosition{}, nil
	case ranking == nil:
		return recorded, nil
	}
	return ranking.Positions, nil
}

func (playerResolver) RankMovement(ctx context.Context, p *model.Player) ([]*model.RankMovement, error) {
	now, err := playerResolver{}.Ranking(ctx, p)
	return rankMovement(now, p.PreviousRanking), err
}

// rankMovement compares the positions of two days. It lists current positions first, then lost ones.
func rankMovement(now, before []*model.RankPosition) []*model.RankMovement {
	previous := make(map[string]int, len(before))
	for _, p := range before {
		previous[p.Type] = p.Position
	}
	out := make([]*model.RankMovement, 0, len(now))
	for _, p := range now {
		m := &model.RankMovement{Type: p.Type, Position: &p.Position}
		if was, ok := previous[p.Type]; ok {
			m.Previous, m.Movement = &was, gained(p.Position, &was)
			delete(previous, p.Type)
		}
		out = append(out, m)
	}
	for _, p := range before {
		if was, lost := previous[p.Type]; lost {
			out = append(out, &model.RankMovement{Type: p.Type, Previous: &was})
		}
	}
	return out
}
