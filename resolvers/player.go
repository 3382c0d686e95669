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

const (
	maxName    = 64  // bytes of a username
	maxPlayers = 100 // uuids of the field players
)

func (queryResolver) Player(ctx context.Context, username string) (*model.Player, error) {
	return findPlayer(ctx, username)
}

func (queryResolver) Players(ctx context.Context, uuids []string) ([]*model.Player, error) {
	if len(uuids) < 1 || len(uuids) > maxPlayers {
		return nil, graph.Errorf(graph.InvalidQueryParams, "uuids must hold 1 to %d uuids.", maxPlayers)
	}
	found, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, uuids)
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	relations, err := loadRelations(ctx, found...)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Player, len(found))
	for i, p := range found {
		if p != nil {
			out[i] = redactPlayer(p, relations.with(p))
		}
	}
	return out, nil
}

// findPlayer returns the player with a uuid or a username, as the viewer may see it. It fails if there is
// none or several.
func findPlayer(ctx context.Context, ref string) (*model.Player, error) {
	if uuid, ok := model.ParseUUID(ref); ok {
		p, err := playerByUUID(ctx, uuid)
		if err == nil && p == nil {
			err = graph.ErrNotFound
		}
		return p, err
	}
	if ref == "" || len(ref) > maxName {
		return nil, graph.ErrNotFound
	}
	found, err := loaders.From(ctx).PlayersByName.Load(ctx, ref)()
	switch {
	case err != nil:
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	case len(found) == 0:
		return nil, graph.ErrNotFound
	case len(found) > 1:
		return nil, graph.ErrMultiple(candidates(found))
	}
	return visible(ctx, found[0])
}

// playerByUUID returns a player as the viewer may see it, nil if none has the uuid.
func playerByUUID(ctx context.Context, uuid string) (*model.Player, error) {
	p, err := loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	return visible(ctx, p)
}

// visible returns a record as the viewer may see it; nil for nil.
func visible(ctx context.Context, record *model.Player) (*model.Player, error) {
	if record == nil {
		return nil, nil
	}
	relations, err := loadRelations(ctx, record)
	if err != nil {
		return nil, err
	}
	return redactPlayer(record, relations.with(record)), nil
}

// candidate is a player in the error of an ambiguous name, without presence and dates.
type candidate struct {
	Username         string                  `json:"username"`
	UUID             string                  `json:"uuid"`
	Rank             string                  `json:"rank"`
	SupportRank      *string                 `json:"supportRank"`
	ShortenedRank    *string                 `json:"shortenedRank"`
	LegacyRankColour *model.LegacyRankColour `json:"legacyRankColour"`
	RankBadge        *string                 `json:"rankBadge"`
}

func candidates(found []*model.Player) []any {
	byUUID := func(a, b *model.Player) int { return strings.Compare(a.UUID, b.UUID) }
	found = slices.SortedFunc(slices.Values(found), byUUID)
	return each(found, func(p *model.Player) any {
		return candidate{p.Username, p.UUID, p.Rank, p.SupportRank, p.ShortenedRank, p.LegacyRankColour, p.RankBadge}
	})
}

func (playerResolver) Characters(ctx context.Context, p *model.Player) ([]*model.Character, error) {
	if !listsCharacters(p) || !showsCharacterData(p) {
		return nil, nil
	}
	return charactersOf(ctx, p)
}

func (playerResolver) CharacterList(ctx context.Context, p *model.Player) ([]*model.Character, error) {
	if !listsCharacters(p) {
		return nil, nil
	}
	return charactersOf(ctx, p)
}

func (playerResolver) Playing(ctx context.Context, p *model.Player) (*model.Character, error) {
	if p.ActiveCharacter == nil || !showsCharacterData(p) {
		return nil, nil
	}
	c, err := loaders.From(ctx).CharacterByUUID.Load(ctx, *p.ActiveCharacter)()
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	if c == nil || c.Owner != p.UUID {
		return nil, nil
	}
	return redactCharacter(c, p.Restrictions), nil
}

func (playerGlobalDataResolver) GuildRaids(ctx context.Context, d *model.PlayerGlobalData) (*model.CountList, error) {
	return withZeros(ctx, d.GuildRaids)
}

func (guildHistoryEntryResolver) GuildRaids(ctx context.Context, e *model.GuildHistoryEntry) (
	*model.CountList, error,
) {
	return withZeros(ctx, e.GuildRaids)
}

// BestCharacter returns the character with the highest total level, then the lowest uuid.
func (playerResolver) BestCharacter(ctx context.Context, p *model.Player) (*model.Character, error) {
	all, err := playerResolver{}.Characters(ctx, p)
	if len(all) == 0 {
		return nil, err
	}
	return slices.MinFunc(all, func(a, b *model.Character) int {
		return cmp.Or(cmp.Compare(b.TotalLevel, a.TotalLevel), strings.Compare(a.UUID, b.UUID))
	}), nil
}

func (playerResolver) Ranking(ctx context.Context, p *model.Player) ([]*model.RankPosition, error) {
	now, err := currentRanking(ctx, loaders.From(ctx).PlayerRanking, p.UUID, p.Ranking)
	return visibleRanking(p, now), err
}

// currentRanking returns the positions of a player or guild, those of the record if no refresh of the leaderboards
// has looked at it since it was imported.
func currentRanking(ctx context.Context, from *loaders.Loader[string, *loaders.Ranking], uuid string,
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

// rankMovement compares the positions of two days: first the present ones, then those that were lost.
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
