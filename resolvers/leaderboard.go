package resolvers

import (
	"context"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

func (q queryResolver) Leaderboards(ctx context.Context, filter *model.LeaderboardFilter, first *int, after *string,
	last *int, before *string,
) (*model.LeaderboardConnection, error) {
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	boards := each(only(catalogue.All, func(b *leaderboard.Board) bool { return matchesBoard(b, filter) }), newLeaderboard)
	return connect(boards, pageArgs{first: first, last: last, after: after, before: before}, q.pageSize,
		(*model.Leaderboard).ID)
}

func matchesBoard(b *leaderboard.Board, f *model.LeaderboardFilter) bool {
	return f == nil || (f.Types == nil || slices.Contains(f.Types, b.Name)) &&
		(f.Kinds == nil || slices.Contains(f.Kinds, b.Kind))
}

func newLeaderboard(b *leaderboard.Board) *model.Leaderboard {
	return &model.Leaderboard{
		Type: b.Name, Title: b.Title, Description: b.Description, Kind: b.Kind, Metadata: b.Metadata, Season: b.Season,
	}
}

func (q queryResolver) Leaderboard(ctx context.Context, name string) (*model.Leaderboard, error) {
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	b := catalogue.Named(name)
	if b == nil {
		graph.SuggestNames(ctx, name, each(catalogue.All, func(b *leaderboard.Board) string { return b.Name }))
		return nil, nil
	}
	return newLeaderboard(b), nil
}

// leaderboard returns a leaderboard, nil if there is none.
func (r *root) leaderboard(ctx context.Context, name string) (*model.Leaderboard, error) {
	b, err := r.board(ctx, name)
	if b == nil {
		return nil, err
	}
	return newLeaderboard(b), nil
}

// board returns the board with a name, nil if there is none.
func (r *root) board(ctx context.Context, name string) (*leaderboard.Board, error) {
	catalogue, err := r.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return catalogue.Named(name), nil
}

// boardOf returns the board of a leaderboard. It fails if the season was disabled meanwhile.
func (r *root) boardOf(ctx context.Context, l *model.Leaderboard) (*leaderboard.Board, error) {
	b, err := r.board(ctx, l.Type)
	if err == nil && b == nil {
		err = graph.ErrInternal
	}
	return b, err
}

// shownOn reports whether the viewer may see where a player or guild is on a board: the board must not hide the player.
func (r *root) shownOn(ctx context.Context, b *leaderboard.Board, uuid string) (bool, error) {
	if b.OfGuilds() {
		return true, nil
	}
	p, err := r.player(ctx, uuid)
	return p != nil && !p.Banned && !hiddenOn(b, p), err
}

func (r guildSeasonResolver) Leaderboard(ctx context.Context, s *model.GuildSeason) (*model.Leaderboard, error) {
	return r.leaderboard(ctx, leaderboard.SeasonBoard(s.Number))
}

func (r leaderboardsRefreshedResolver) Leaderboards(ctx context.Context, e *model.LeaderboardsRefreshed) (
	[]*model.Leaderboard, error,
) {
	catalogue, err := r.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Leaderboard, 0, len(e.Changed))
	for _, name := range e.Changed {
		if b := catalogue.Named(name); b != nil {
			out = append(out, newLeaderboard(b))
		}
	}
	return out, nil
}

// catalogue returns the leaderboards that exist now.
func (r *root) catalogue(ctx context.Context) (*leaderboard.Catalogue, error) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	raids, err := loaders.From(ctx).Raids.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return leaderboard.NewCatalogue(raids.Boards, seasons.All, r.now()), nil
}

func (r leaderboardResolver) RefreshedAt(ctx context.Context, l *model.Leaderboard) (*time.Time, error) {
	if l.Kind == model.LeaderboardKindGuildRecord {
		return nil, nil
	}
	return stored(loaders.From(ctx).BoardRefreshed(ctx, l.Type))
}

func (r leaderboardResolver) Count(ctx context.Context, l *model.Leaderboard) (n int, err error) {
	if l.Kind == model.LeaderboardKindGuildRecord {
		return stored(countComputed(ctx, l.Type))
	}
	err = loaders.From(ctx).ReadBoard(ctx, l.Type, func(b *loaders.Board) error {
		n = b.Count()
		return nil
	})
	return stored(n, err)
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
