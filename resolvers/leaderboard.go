package resolvers

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

func (q queryResolver) Leaderboards(ctx context.Context, page model.PageArgs, filter *model.LeaderboardFilter) (
	*model.LeaderboardConnection, error,
) {
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	boards := only(catalogue.All, func(b *leaderboard.Board) bool {
		return filter == nil || (filter.Types == nil || slices.Contains(filter.Types, b.Name)) &&
			(filter.Kinds == nil || slices.Contains(filter.Kinds, b.Kind))
	})
	return connect(each(boards, newLeaderboard), page, q.PageSize, (*model.Leaderboard).ID)
}

func newLeaderboard(b *leaderboard.Board) *model.Leaderboard {
	return &model.Leaderboard{
		Type: b.Name, Title: b.Title, Description: b.Description, Kind: b.Kind, Metadata: b.Metadata, Season: b.Season,
	}
}

func (q queryResolver) Leaderboard(ctx context.Context, by model.LeaderboardBy) (*model.Leaderboard, error) {
	found, err := q.leaderboard(ctx, *by.Type)
	if found != nil || err != nil {
		return found, err
	}
	catalogue, err := q.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return nil, unknownName(ctx, "leaderboard", *by.Type, each(catalogue.All, boardName))
}

func boardName(b *leaderboard.Board) string { return b.Name }

func (r *root) leaderboard(ctx context.Context, name string) (*model.Leaderboard, error) {
	b, err := r.board(ctx, name)
	if b == nil {
		return nil, err
	}
	return newLeaderboard(b), nil
}

func (r *root) board(ctx context.Context, name string) (*leaderboard.Board, error) {
	raids, err := loaders.From(ctx).Raids.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if fixed := firstNamed(raids.Boards, name, boardName); fixed != nil { // needs no seasons
		return fixed, nil
	}
	catalogue, err := r.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return catalogue.Named(name), nil
}

// boardOf returns the board of a leaderboard. It fails if the season has been disabled since.
func (r *root) boardOf(ctx context.Context, l *model.Leaderboard) (*leaderboard.Board, error) {
	b, err := r.board(ctx, l.Type)
	if err == nil && b == nil {
		err = graph.ErrInternal
	}
	return b, err
}

// shownOn reports whether the viewer may see the position of a player or guild: the board must not hide the player. If
// past is set, the player must also share their days. It also returns when the player or guild was added.
func (r *root) shownOn(ctx context.Context, b *leaderboard.Board, uuid string, past bool) (time.Time, bool, error) {
	if b.OfGuilds() {
		g, err := r.guild(ctx, uuid)
		if g == nil {
			return time.Time{}, true, err
		}
		return g.AddedAt, true, nil
	}
	p, err := r.player(ctx, uuid)
	if p == nil || p.Banned || hiddenOn(b, p) || past && hidesDays(p) {
		return time.Time{}, false, err
	}
	return p.AddedAt, true, err
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

func (r *root) catalogue(ctx context.Context) (*leaderboard.Catalogue, error) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	raids, err := loaders.From(ctx).Raids.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return leaderboard.NewCatalogue(raids.Boards, seasons.All, r.Now()), nil
}

func (r leaderboardResolver) RefreshedAt(ctx context.Context, l *model.Leaderboard) (*time.Time, error) {
	if l.Kind == model.LeaderboardKindGuildRecord {
		return nil, nil
	}
	return publicError(loaders.From(ctx).BoardRefreshed(ctx, l.Type))
}

func (r leaderboardResolver) EntryCount(ctx context.Context, l *model.Leaderboard) (int, error) {
	if l.Kind == model.LeaderboardKindGuildRecord {
		board, err := newComputedBoard(ctx, l.Type)
		if err != nil {
			return publicError(0, err)
		}
		return publicError(board.count(ctx))
	}
	return publicError(loaders.ReadBoard(ctx, l.Type, func(b *loaders.Board) (int, error) { return b.Count(), nil }))
}

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

// readEntries reads entries of leaderboards. An id that names a hidden player finds no entry: a restricted entry has
// another id.
func readEntries(r *root, ctx context.Context, keys []string) ([]model.Node, error) {
	ids := map[string][]string{} // by board
	for _, key := range keys {
		board, id, _ := strings.Cut(key, "/")
		ids[board] = append(ids[board], id)
	}
	found := map[string]model.Node{}
	for name, list := range ids {
		b, err := r.board(ctx, name)
		if err != nil {
			return nil, err
		}
		if b == nil {
			continue
		}
		entries, err := publicError(entriesByID(ctx, b, list))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			found[e.(interface{ ID() string }).ID()] = e.(model.Node)
		}
	}
	out := make([]model.Node, len(keys))
	for i, key := range keys {
		if e := found[model.GlobalID("LeaderboardEntry", key)]; e != nil {
			out[i] = e
		}
	}
	return out, nil
}

// entriesByID reads entries of a board by position, or by player and character. The result may include further entries.
func entriesByID(ctx context.Context, b *leaderboard.Board, ids []string) ([]model.LeaderboardEntry, error) {
	var uuids []string
	var positions []int
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil && n > 0 {
			positions = append(positions, n)
		} else {
			uuid, _, _ := strings.Cut(id, "/")
			uuids = append(uuids, uuid)
		}
	}
	if b.Computed() {
		return guildRecords(ctx, b, uuids)
	}
	keys, err := loaders.From(ctx).BoardKeys(ctx, b, uuids)
	if err != nil {
		return nil, err
	}
	return loaders.ReadBoard(ctx, b.Name, func(board *loaders.Board) ([]model.LeaderboardEntry, error) {
		part, err := board.Find(keys)
		if err != nil {
			return nil, err
		}
		for _, at := range positions {
			one, err := board.Entries(at, 1)
			if err != nil {
				return nil, err
			}
			part = append(part, one...)
		}
		rows, err := present(ctx, b, part)
		return each(rows, row.shown), err
	})
}

func guildRecords(ctx context.Context, b *leaderboard.Board, uuids []string) (out []model.LeaderboardEntry, err error) {
	board, err := newComputedBoard(ctx, b.Name)
	if err != nil {
		return nil, err
	}
	for _, uuid := range uuids {
		g, position, err := guildOn(ctx, board, uuid)
		if err != nil {
			return nil, err
		}
		if position == 0 {
			continue
		}
		one, err := recordEntries(ctx, b, board, position, []*model.Guild{g})
		if err != nil {
			return nil, err
		}
		out = append(out, one...)
	}
	return out, nil
}
