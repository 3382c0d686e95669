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
	w, err := newWindow(page, leaderboardList, r.pageSize)
	if err != nil {
		return nil, err
	}
	switch {
	case around != nil && (w.cursor != nil || w.backward || filter != nil):
		return nil, graph.Errorf(graph.InvalidQueryParams, "Use around with first only.")
	case filter != nil && filter.Guilds != nil && (len(filter.Guilds) < 1 || len(filter.Guilds) > maxFilterGuilds):
		return nil, graph.Errorf(graph.InvalidQueryParams, "guilds must hold 1 to %d guilds.", maxFilterGuilds)
	}
	b, err := r.boardOf(ctx, l)
	if err != nil {
		return nil, err
	}
	switch byKind := filter != nil && (filter.Classes != nil || filter.Gamemodes != nil); {
	case b.Computed() && filter != nil:
		return nil, graph.Errorf(graph.InvalidQueryParams, "This leaderboard is computed on request and has no filter.")
	case b.Computed():
		return computedEntries(ctx, b, w, around)
	case byKind && !b.OfCharacters():
		return nil, graph.Errorf(graph.InvalidQueryParams, "classes and gamemodes are for leaderboards of characters.")
	case filter != nil && filter.Guilds != nil:
		return guildsOnBoard(ctx, b, w, filter)
	case byKind:
		return searchEntries(ctx, b, w, filter)
	case around != nil:
		return r.entriesAround(ctx, b, *around, w.limit)
	}
	return boardPage(ctx, b, !w.backward, func(board *loaders.Board) (first, n int, err error) {
		from, to, err := w.slice(board.Count(), placeOn(board))
		return from + 1, to - from, err
	})
}

// entriesAround returns the entries around a player or guild. It returns none if the subject is not on the board or the
// board hides it from the viewer: the position must stay secret.
func (r *root) entriesAround(ctx context.Context, b *leaderboard.Board, uuid string, limit int) (
	*model.LeaderboardEntryConnection, error,
) {
	_, shown, err := r.shownOn(ctx, b, uuid, false)
	if err != nil {
		return nil, err
	}
	var keys []leaderboard.Key
	if shown {
		if keys, err = stored(loaders.From(ctx).BoardKeys(ctx, b, []string{uuid})); err != nil {
			return nil, err
		}
	}
	return boardPage(ctx, b, false, func(board *loaders.Board) (first, n int, err error) {
		found, err := board.Find(keys)
		if err != nil || len(found) == 0 {
			return 0, 0, err
		}
		return loaders.Around(found[0].Position, limit, board.Count()), limit, nil
	})
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

// unrestricted drops restricted rows: a filter would reveal whose they are.
func unrestricted(rows []row) []row { return only(rows, func(r row) bool { return !r.restricted }) }

// readRows reads entries of a stored board and presents them.
func readRows(ctx context.Context, b *leaderboard.Board,
	read func(*loaders.Board) ([]loaders.BoardEntry, error),
) ([]row, error) {
	part, err := stored(loaders.ReadBoard(ctx, b.Name, read))
	if err != nil {
		return nil, err
	}
	return present(ctx, b, part)
}

func present(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) ([]row, error) {
	if b.OfGuilds() {
		return stored(guildRows(ctx, b, part))
	}
	return stored(playerRows(ctx, b, part))
}

// boardPage returns a page of a stored board: n entries from a position on. If fill is set, later entries replace the
// ones left out.
func boardPage(ctx context.Context, b *leaderboard.Board, fill bool,
	page func(*loaders.Board) (first, n int, err error),
) (*model.LeaderboardEntryConnection, error) {
	var rows []row
	r := pageReader{page: page}
	for again := true; again; again = fill && r.missing > 0 {
		part, err := readRows(ctx, b, r.next)
		if err != nil {
			return nil, err
		}
		rows = append(rows, part...)
		r.missing -= len(part)
	}
	c := connectRows(b, rows)
	c.Total = known(r.count)
	c.Before, c.More = r.first > 1, r.first > 0 && r.after <= r.count
	return c, nil
}

type pageReader struct {
	page         func(*loaders.Board) (first, n int, err error)
	first, after int // positions of the first entry and behind the last; 0 before the first part and without a page
	missing      int // entries read but not shown yet
	count        int // of the board
}

// next reads the page, and on later calls as many further entries as are missing.
func (r *pageReader) next(board *loaders.Board) (part []loaders.BoardEntry, err error) {
	from, n := r.after, r.missing
	if from == 0 {
		if from, n, err = r.page(board); err != nil {
			return nil, err
		}
	}
	if part, err = board.Entries(from, n); err != nil {
		return nil, err
	}
	r.first, r.after = cmp.Or(r.first, from), from+len(part)
	r.count, r.missing = board.Count(), len(part)
	return part, nil
}

func connectRows(b *leaderboard.Board, rows []row) *model.LeaderboardEntryConnection {
	return &model.LeaderboardEntryConnection{
		Items: each(rows, row.shown), Cursor: func(i int) string { return boardCursor(rows[i].place(b)) },
	}
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

// guildsOnBoard returns a page of the entries of some guilds or their members.
func guildsOnBoard(ctx context.Context, b *leaderboard.Board, w window, filter *model.LeaderboardEntryFilter) (
	*model.LeaderboardEntryConnection, error,
) {
	keys, err := stored(guildKeys(ctx, b, filter.Guilds))
	if err != nil {
		return nil, err
	}
	var before, upTo int // of the cursor's entry on the whole board
	found, err := stored(loaders.ReadBoard(ctx, b.Name, func(board *loaders.Board) ([]loaders.BoardEntry, error) {
		found, err := board.Find(keys)
		if err == nil && w.cursor != nil {
			before, upTo, err = placeOn(board)(w.cursor)
		}
		return found, err
	}))
	if err != nil {
		return nil, err
	}
	if filter.Classes != nil || filter.Gamemodes != nil {
		if found, err = stored(matchingEntries(ctx, b, filter, found)); err != nil {
			return nil, err
		}
	}
	rows, err := present(ctx, b, found)
	if err != nil {
		return nil, err
	}
	rows = unrestricted(rows)
	from, to, err := w.slice(len(rows), func(*cursor) (int, int, error) {
		return countUpTo(rows, before), countUpTo(rows, upTo), nil
	})
	if err != nil {
		return nil, err
	}
	c := connectRows(b, rows[from:to])
	c.Before, c.More = from > 0, to < len(rows)
	c.Total = known(len(rows))
	return c, nil
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
