package resolvers

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// maxFilterGuilds is the maximum number of guilds in a filter of entries: every member is looked up separately.
const maxFilterGuilds = 10

func (r leaderboardResolver) Entries(ctx context.Context, l *model.Leaderboard, page model.PageArgs,
	filter *model.LeaderboardEntryFilter, around *string,
) (*model.LeaderboardEntryConnection, error) {
	w, err := newWindow(page, leaderboardList, r.PageSize)
	if err != nil {
		return nil, err
	}
	b, err := r.boardOf(ctx, l)
	if err != nil {
		return nil, err
	}
	if filter != nil {
		if err := checkEntryFilter(b, filter, around); err != nil {
			return nil, err
		}
	}
	switch {
	case b.Computed():
		return publicError(computedEntries(ctx, b, w, around))
	case filter != nil && filter.Guilds != nil:
		return publicError(guildsOnBoard(ctx, b, w, filter))
	case filter != nil && byKind(filter):
		return publicError(searchEntries(ctx, b, w, filter))
	}
	return publicError(r.storedEntries(ctx, b, w, around))
}

func checkEntryFilter(b *leaderboard.Board, f *model.LeaderboardEntryFilter, around *string) error {
	switch {
	case around != nil:
		return errAround
	case f.Guilds != nil && (len(f.Guilds) < 1 || len(f.Guilds) > maxFilterGuilds):
		return graph.Errorf(graph.InvalidQueryParams, "guilds must hold 1 to %d guilds.", maxFilterGuilds)
	case b.Computed():
		return graph.Errorf(graph.InvalidQueryParams, "This leaderboard is computed on request and has no filter.")
	case byKind(f) && !b.OfCharacters():
		return graph.Errorf(graph.InvalidQueryParams, "classes and gamemodes are for leaderboards of characters.")
	}
	return nil
}

// byKind reports whether a filter selects characters by class or gamemode.
func byKind(f *model.LeaderboardEntryFilter) bool { return f.Classes != nil || f.Gamemodes != nil }

func (r *root) storedEntries(ctx context.Context, b *leaderboard.Board, w window, around *string) (
	*model.LeaderboardEntryConnection, error,
) {
	return loaders.ReadBoard(ctx, b.Name, func(board *loaders.Board) (*model.LeaderboardEntryConnection, error) {
		find := func(uuid string) (int, error) { return r.positionOf(ctx, b, board, uuid) }
		p, err := w.ranks(around, board.Count(), find, placeOn(board))
		if err != nil {
			return nil, err
		}
		rows, err := p.read(ctx, b, board, around == nil && !w.backward)
		return connectRanks(each(rows, row.shown), p, rowCursor(b, rows)), err
	})
}

// read reads the entries of a page. If fill is set, later entries replace those that present leaves out.
func (p *rankPage) read(ctx context.Context, b *leaderboard.Board, board *loaders.Board, fill bool) ([]row, error) {
	var rows []row
	for next, missing := p.first, p.n; missing > 0; {
		part, err := board.Entries(next, missing)
		if err != nil {
			return nil, err
		}
		shown, err := present(ctx, b, part)
		if err != nil {
			return nil, err
		}
		rows, next, missing = append(rows, shown...), next+len(part), len(part)-len(shown)
		p.n = next - p.first
		if !fill {
			break
		}
	}
	return rows, nil
}

// positionOf returns the position of a player or guild on a stored board, or 0 if the viewer does not see it.
func (r *root) positionOf(ctx context.Context, b *leaderboard.Board, board *loaders.Board, uuid string) (int, error) {
	if _, shown, err := r.shownOn(ctx, b, uuid, false); err != nil || !shown {
		return 0, err
	}
	keys, err := loaders.From(ctx).BoardKeys(ctx, b, []string{uuid})
	if err != nil {
		return 0, err
	}
	found, err := board.Find(keys)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].Position, nil
}

// row is an entry of a stored board as the viewer may see it.
type row struct {
	loaders.BoardEntry
	entry model.LeaderboardEntry
	// restricted hides from the viewer whose entry it is; hidesDays hides the days on which the player plays.
	restricted, hidesDays bool
	// addedAt is when the player, character or guild was added.
	addedAt time.Time
}

// isOf reports whether an entry belongs to the record added at a time, and not to an earlier record with the same uuid.
func isOf(b *leaderboard.Board, e loaders.BoardEntry, added time.Time) bool {
	at := e.RefreshedAt
	if b.Season != nil && b.Season.EndsAt != nil && b.Season.EndsAt.Before(at) {
		at = *b.Season.EndsAt
	}
	return !added.After(at)
}

func (r row) shown() model.LeaderboardEntry { return r.entry }

func (r row) place(b *leaderboard.Board) loaders.BoardPlace {
	if r.restricted {
		return r.HiddenPlace(b)
	}
	return r.Place()
}

// withPast returns the rows whose times of change the viewer may see.
func withPast(rows []row) []row {
	return only(rows, func(r row) bool { return !r.restricted && !r.hidesDays })
}

// present returns the rows of entries of a stored board.
func present(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) ([]row, error) {
	if b.OfGuilds() {
		return guildRows(ctx, b, part)
	}
	return playerRows(ctx, b, part)
}

// firstRows returns the first n rows of a stored board.
func firstRows(ctx context.Context, b *leaderboard.Board, n int) ([]row, error) {
	part, err := loaders.FirstEntries(ctx, b.Name, n)
	if err != nil {
		return publicError[[]row](nil, err)
	}
	return publicError(present(ctx, b, part))
}

// placeOn returns the find function of window.slice for a stored board.
func placeOn(board *loaders.Board) func(*cursor) (before, upTo int, err error) {
	return func(c *cursor) (before, upTo int, err error) {
		p := c.Board
		if p == nil || p.Position < 1 || p.MetaScore < 0 || p.Above < 0 || p.MetaScore > math.MaxInt64-p.Above {
			return 0, 0, errCursor
		}
		return board.Resume(*p)
	}
}

// leaderboardList is the name of a leaderboard in cursors.
const leaderboardList = "leaderboard"

// boardCursor returns the cursor of an entry. A cursor does not name its entry, which may be restricted, and a forged
// cursor cannot reveal whose entry it is.
func boardCursor(p loaders.BoardPlace) string {
	return cursor{List: leaderboardList, Board: &p}.encode()
}

// rowCursor returns the cursor function of a connection of rows.
func rowCursor(b *leaderboard.Board, rows []row) func(int) string {
	return func(i int) string { return boardCursor(rows[i].place(b)) }
}

// guildsOnBoard returns a page of the entries of some guilds or their members.
func guildsOnBoard(ctx context.Context, b *leaderboard.Board, w window, filter *model.LeaderboardEntryFilter) (
	*model.LeaderboardEntryConnection, error,
) {
	keys, err := guildKeys(ctx, b, filter.Guilds)
	if err != nil {
		return nil, err
	}
	return loaders.ReadBoard(ctx, b.Name, func(board *loaders.Board) (*model.LeaderboardEntryConnection, error) {
		found, err := board.Find(keys)
		if err == nil && byKind(filter) {
			found, err = matchingEntries(ctx, b, filter, found)
		}
		if err != nil {
			return nil, err
		}
		rows, err := present(ctx, b, found)
		if err != nil {
			return nil, err
		}
		rows = only(rows, func(r row) bool { return !r.restricted }) // a filter would reveal whose entry it is
		from, to, err := w.slice(len(rows), func(c *cursor) (int, int, error) {
			before, upTo, err := placeOn(board)(c)
			return countUpTo(rows, before), countUpTo(rows, upTo), err
		})
		if err != nil {
			return nil, err
		}
		p := rankPage{from + 1, to - from, len(rows)}
		return connectRanks(each(rows[from:to], row.shown), p, rowCursor(b, rows[from:to])), nil
	})
}

func guildKeys(ctx context.Context, b *leaderboard.Board, uuids []string) ([]leaderboard.Key, error) {
	set := loaders.From(ctx)
	if !b.OfGuilds() {
		members, err := loaders.Many(ctx, set.PlayersByGuild, uuids)
		if err != nil {
			return nil, err
		}
		uuids = each(slices.Concat(members...), func(p *model.Player) string { return p.UUID })
	}
	return set.BoardKeys(ctx, b, uuids)
}

// countUpTo counts the rows up to a position on the whole board.
func countUpTo(rows []row, position int) int {
	i, _ := slices.BinarySearchFunc(rows, position+1, func(r row, position int) int {
		return cmp.Compare(r.Position, position)
	})
	return i
}
