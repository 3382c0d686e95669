package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// maxEntries is the maximum number of entries of one field.
const maxEntries = 1000

func (q queryResolver) LeaderboardTypes(ctx context.Context) ([]*model.LeaderboardType, error) {
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return each(catalogue.All, func(b *leaderboard.Board) *model.LeaderboardType {
		return &model.LeaderboardType{Type: b.Name, Kind: b.Kind, Metadata: b.Metadata, Season: b.Season}
	}), nil
}

func (q queryResolver) Leaderboard(ctx context.Context, name string, first int, around *string) (
	*model.Leaderboard, error,
) {
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	b := catalogue.Named(name)
	if b == nil {
		return nil, graph.ErrInvalidLeaderboardType
	}
	return newLeaderboard(ctx, b, first, around)
}

func (r guildSeasonResolver) Leaderboard(ctx context.Context, s *model.GuildSeason, first int) (
	*model.Leaderboard, error,
) {
	catalogue, err := r.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	b := catalogue.Named(leaderboard.SeasonBoard(s.Number))
	if b == nil {
		return nil, nil
	}
	return newLeaderboard(ctx, b, first, nil)
}

// catalogue returns the leaderboards that exist now.
func (r *root) catalogue(ctx context.Context) (*leaderboard.Catalogue, error) {
	seasons, err := loaders.From(ctx).Seasons(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	raids, err := loaders.From(ctx).Raids(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return leaderboard.NewCatalogue(raids.Boards, seasons.All, r.now()), nil
}

// newLeaderboard returns the first entries of a board, or those around a player or guild.
func newLeaderboard(ctx context.Context, b *leaderboard.Board, first int, around *string) (*model.Leaderboard, error) {
	if first < 1 || first > maxEntries {
		return nil, graph.Errorf(graph.InvalidQueryParams, "The number of entries must be 1 to %d.", maxEntries)
	}
	if b.Computed() {
		return computedBoard(ctx, b, first, around)
	}
	part, err := boardPart(ctx, b, first, around)
	if err != nil {
		return nil, err
	}
	present := playerEntries
	if b.OfGuilds() {
		present = guildEntries
	}
	entries, err := present(ctx, b, part)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return &model.Leaderboard{
		Type: b.Name, Kind: b.Kind, RefreshedAt: part.RefreshedAt, Count: part.Count, Entries: entries,
	}, nil
}

func boardPart(ctx context.Context, b *leaderboard.Board, first int, around *string) (
	part *loaders.BoardPart, err error,
) {
	set := loaders.From(ctx)
	if around == nil {
		part, err = set.BoardTop(ctx, b.Name, first)
	} else {
		if !b.OfGuilds() {
			// The position of a player whom this board hides must not be revealed.
			p, err := playerByUUID(ctx, *around)
			if err != nil {
				return nil, err
			}
			if p == nil || p.Banned || hiddenOn(b, p) {
				return nil, graph.ErrNotFound
			}
		}
		part, err = set.BoardAround(ctx, b, *around, first)
	}
	return found(part, err)
}

// positionOn returns a record's position on a board, nil if it has none.
func positionOn(b *leaderboard.Board, list []*model.RankPosition) *int {
	for _, r := range list {
		if r.Type == b.Name {
			return &r.Position
		}
	}
	return nil
}

// gained returns how many places were gained since the previous position was stored, nil if unknown.
func gained(position int, previous *int) *int {
	if previous == nil {
		return nil
	}
	n := *previous - position
	return &n
}
