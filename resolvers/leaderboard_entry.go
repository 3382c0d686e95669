package resolvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// maxFilterGuilds is the maximum number of guilds of a filter of entries: their members are looked up one by one.
const maxFilterGuilds = 10

func (r leaderboardResolver) Entries(ctx context.Context, l *model.Leaderboard, filter *model.LeaderboardEntryFilter,
	around *string, first *int, after *string, last *int, before *string,
) (*model.LeaderboardEntryConnection, error) {
	w, err := pageArgs{first: first, last: last, after: after, before: before}.window(r.pageSize, maxFirst)
	if err != nil {
		return nil, err
	}
	switch {
	case around != nil && (w.cursor != "" || w.backward || filter != nil):
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
	return storedEntries(ctx, b, func(board *loaders.Board) (first, n int, err error) {
		from, to, err := w.slice(board.Count(), placeOn(board))
		return from + 1, to - from, err
	})
}

// entriesAround returns the entries around a player or guild; none if it is not on the board, or the board hides it
// from the viewer: its position must not be revealed.
func (r *root) entriesAround(ctx context.Context, b *leaderboard.Board, uuid string, limit int) (
	*model.LeaderboardEntryConnection, error,
) {
	shown, err := r.shownOn(ctx, b, uuid)
	if err != nil {
		return nil, err
	}
	var keys []leaderboard.Key
	if shown {
		if keys, err = stored(loaders.From(ctx).BoardKeys(ctx, b, []string{uuid})); err != nil {
			return nil, err
		}
	}
	return storedEntries(ctx, b, func(board *loaders.Board) (first, n int, err error) {
		found, err := board.Find(keys)
		if err != nil || len(found) == 0 {
			return 0, 0, err
		}
		return loaders.Around(found[0].Position, limit, board.Count()), limit, nil
	})
}

// storedEntries returns a page of a stored board: n entries from a position on.
func storedEntries(ctx context.Context, b *leaderboard.Board, page func(*loaders.Board) (first, n int, err error)) (
	*model.LeaderboardEntryConnection, error,
) {
	var part []loaders.BoardEntry
	var count int
	err := loaders.From(ctx).ReadBoard(ctx, b.Name, func(board *loaders.Board) error {
		count = board.Count()
		first, n, err := page(board)
		if err != nil {
			return err
		}
		part, err = board.Entries(first, n)
		return err
	})
	if err != nil {
		return nil, entriesError(err)
	}
	entries, err := presentEntries(ctx, b, part)
	if err != nil {
		return nil, err
	}
	return entryPage(part, entries, count), nil
}

// entriesError returns an error of reading a board as that of the field.
func entriesError(err error) error {
	if errors.Is(err, errCursor) {
		return err
	}
	return storeError(err, graph.ErrInternal)
}

// placeOn finds the place of a cursor on a stored board, for window.slice.
func placeOn(board *loaders.Board) func(cursor string) (before, upTo int, err error) {
	return func(cursor string) (before, upTo int, err error) {
		place, err := parseBoardCursor(cursor)
		if err != nil {
			return 0, 0, err
		}
		return board.Resume(place)
	}
}

// boardCursor returns the cursor of an entry. It does not name the entry, which may be restricted; nor could one that
// was made up reveal whom an entry belongs to.
func boardCursor(p loaders.BoardPlace) string {
	return model.EncodeCursor(fmt.Sprintf("%d:%d:%d:%d", p.Position, p.MetaScore, p.Page, p.Index))
}

func parseBoardCursor(cursor string) (p loaders.BoardPlace, err error) {
	var rest string
	n, _ := fmt.Sscanf(cursor+":", "%d:%d:%d:%d:%s", &p.Position, &p.MetaScore, &p.Page, &p.Index, &rest)
	if n != 4 || p.Position < 1 || p.MetaScore < 0 {
		return p, errCursor
	}
	return p, nil
}

// entryPage returns consecutive entries of a stored board as a page.
func entryPage(part []loaders.BoardEntry, entries []model.LeaderboardEntry, count int,
) *model.LeaderboardEntryConnection {
	c := &model.LeaderboardEntryConnection{
		Items:  entries,
		Cursor: func(i int) string { return boardCursor(part[i].Place()) },
		Total:  func(context.Context) (int, error) { return count, nil },
	}
	if n := len(part); n > 0 {
		c.Before, c.More = part[0].Position > 1, part[n-1].Position < count
	}
	return c
}

func presentEntries(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) (
	[]model.LeaderboardEntry, error,
) {
	if b.OfGuilds() {
		return stored(guildEntries(ctx, b, part))
	}
	return stored(playerEntries(ctx, b, part))
}

// guildsOnBoard returns a page of the entries of some guilds, or of their members.
func guildsOnBoard(ctx context.Context, b *leaderboard.Board, w window, filter *model.LeaderboardEntryFilter) (
	*model.LeaderboardEntryConnection, error,
) {
	keys, err := guildKeys(ctx, b, filter.Guilds)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	var found []loaders.BoardEntry
	var before, upTo int // of the cursor's entry on the whole board
	err = loaders.From(ctx).ReadBoard(ctx, b.Name, func(board *loaders.Board) error {
		var err error
		if found, err = board.Find(keys); err == nil && w.cursor != "" {
			before, upTo, err = placeOn(board)(w.cursor)
		}
		return err
	})
	if err != nil {
		return nil, entriesError(err)
	}
	if filter.Classes != nil || filter.Gamemodes != nil {
		found, err = matchingEntries(ctx, b, filter, found)
		if err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
	}
	shown, entries, err := unrestrictedEntries(ctx, b, found)
	if err != nil {
		return nil, err
	}
	from, to, err := w.slice(len(shown), func(string) (int, int, error) {
		return countUpTo(shown, before), countUpTo(shown, upTo), nil
	})
	if err != nil {
		return nil, err
	}
	c := entryPage(shown[from:to], entries[from:to], len(shown))
	c.Before, c.More = from > 0, to < len(shown)
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

// unrestrictedEntries presents entries without restricted ones: a filter would reveal whose they are.
func unrestrictedEntries(ctx context.Context, b *leaderboard.Board, found []loaders.BoardEntry) (
	[]loaders.BoardEntry, []model.LeaderboardEntry, error,
) {
	all, err := presentEntries(ctx, b, found)
	if err != nil {
		return nil, nil, err
	}
	shown := make([]loaders.BoardEntry, 0, len(found))
	entries := make([]model.LeaderboardEntry, 0, len(found))
	for i, e := range all {
		if !isRestricted(e) {
			shown, entries = append(shown, found[i]), append(entries, e)
		}
	}
	return shown, entries, nil
}

// countUpTo returns how many entries have a position up to one on the whole board.
func countUpTo(part []loaders.BoardEntry, position int) int {
	i, _ := slices.BinarySearchFunc(part, position+1, func(e loaders.BoardEntry, position int) int {
		return cmp.Compare(e.Position, position)
	})
	return i
}

// isRestricted reports whether an entry does not show the viewer who it is.
func isRestricted(e model.LeaderboardEntry) bool {
	switch e := e.(type) {
	case *model.PlayerEntry:
		return e.Restricted
	case *model.CharacterEntry:
		return e.Restricted
	case *model.GamemodeEntry:
		return e.Restricted
	}
	return false
}
