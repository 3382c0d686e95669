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
	b, err := r.board(ctx, l.Type)
	switch byKind := filter != nil && (filter.Classes != nil || filter.Gamemodes != nil); {
	case err != nil:
		return nil, err
	case b == nil:
		return nil, graph.ErrInternal // the season was disabled meanwhile
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
	}
	return storedEntries(ctx, b, w, around)
}

// storedEntries returns a page of a stored board.
func storedEntries(ctx context.Context, b *leaderboard.Board, w window, around *string) (
	*model.LeaderboardEntryConnection, error,
) {
	var keys []leaderboard.Key
	if around != nil {
		var err error
		if keys, err = keysToShow(ctx, b, *around); err != nil {
			return nil, err
		}
	}
	var part []loaders.BoardEntry
	var count int
	err := loaders.From(ctx).ReadBoard(ctx, b.Name, func(board *loaders.Board) (err error) {
		count = board.Count()
		var from, n int
		if around != nil {
			found, err := board.Find(keys)
			if err != nil {
				return err
			}
			if len(found) == 0 {
				part = nil
				return nil
			}
			n = w.limit
			from = loaders.Around(found[0].Position, n, count)
		} else if from, n, err = w.positions(board); err != nil {
			return err
		}
		part, err = board.Entries(from, n)
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

// positions returns the first position of the page and its number of entries.
func (w window) positions(board *loaders.Board) (first, n int, err error) {
	before, upTo, err := w.place(board)
	if err != nil {
		return 0, 0, err
	}
	from, to := w.part(board.Count(), before, upTo)
	return from + 1, to - from, nil
}

// place returns the place of the cursor on a board, as part has it.
func (w window) place(board *loaders.Board) (before, upTo int, err error) {
	if w.cursor == "" {
		return 0, 0, nil
	}
	place, err := parseBoardCursor(w.cursor)
	if err != nil {
		return 0, 0, err
	}
	return board.Resume(place)
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

// presentEntries returns entries of a stored board as the viewer may see them.
func presentEntries(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) (
	[]model.LeaderboardEntry, error,
) {
	if b.OfGuilds() {
		return stored(guildEntries(ctx, b, part))
	}
	return stored(playerEntries(ctx, b, part))
}

// keysToShow returns the keys of a player or guild on a stored board. It returns none for a player whom the board hides
// from the viewer, whose position must not be revealed.
func keysToShow(ctx context.Context, b *leaderboard.Board, uuid string) ([]leaderboard.Key, error) {
	if !b.OfGuilds() {
		p, err := playerByUUID(ctx, uuid)
		if err != nil || p == nil || p.Banned || hiddenOn(b, p) {
			return nil, err
		}
	}
	return stored(loaders.From(ctx).BoardKeys(ctx, b, []string{uuid}))
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
	var before, upTo int
	err = loaders.From(ctx).ReadBoard(ctx, b.Name, func(board *loaders.Board) error {
		var err error
		found, err = board.Find(keys)
		if err != nil {
			return err
		}
		before, upTo, err = w.place(board)
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
	from, to := w.part(len(shown), countUpTo(shown, before), countUpTo(shown, upTo))
	c := entryPage(shown[from:to], entries[from:to], len(shown))
	c.Before, c.More = from > 0, to < len(shown)
	return c, nil
}

// guildKeys returns the keys of guilds, or of their members, on a board.
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
