package resolvers

import (
	"context"
	"errors"
	"fmt"

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
func (w window) positions(board *loaders.Board) (from, n int, err error) {
	from, to := 1, board.Count()
	if w.cursor != "" {
		place, err := parseBoardCursor(w.cursor)
		if err != nil {
			return 0, 0, err
		}
		before, upTo, err := board.Resume(place)
		if err != nil {
			return 0, 0, err
		}
		if w.backward {
			to = before
		} else {
			from = upTo + 1
		}
	}
	if w.backward {
		from = max(1, to-w.limit+1)
	}
	return from, min(w.limit, to-from+1), nil
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
	set := loaders.From(ctx)
	uuids := filter.Guilds
	if !b.OfGuilds() {
		members, err := loaders.Many(ctx, set.PlayersByGuild, filter.Guilds)
		if err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
		uuids = nil
		for _, list := range members {
			uuids = append(uuids, each(list, func(p *model.Player) string { return p.UUID })...)
		}
	}
	keys, err := set.BoardKeys(ctx, b, uuids)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	var found []loaders.BoardEntry
	before, upTo := 0, 0
	if err := set.ReadBoard(ctx, b.Name, func(board *loaders.Board) (err error) {
		if found, err = board.Find(keys); err != nil || w.cursor == "" {
			return err
		}
		place, err := parseBoardCursor(w.cursor)
		if err == nil {
			before, upTo, err = board.Resume(place)
		}
		return err
	}); err != nil {
		return nil, entriesError(err)
	}
	if filter.Classes != nil || filter.Gamemodes != nil {
		if found, err = matchingEntries(ctx, b, filter, found); err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
	}
	all, err := presentEntries(ctx, b, found)
	if err != nil {
		return nil, err
	}
	// A restricted entry would reveal by the filter whose it is.
	part := make([]loaders.BoardEntry, 0, len(found))
	entries := make([]model.LeaderboardEntry, 0, len(found))
	for i, e := range all {
		if !isRestricted(e) {
			part, entries = append(part, found[i]), append(entries, e)
		}
	}
	from, to := 0, len(part)
	for i, e := range part {
		if w.cursor != "" && !w.backward && e.Position <= upTo {
			from = i + 1
		}
		if w.cursor != "" && w.backward && e.Position > before {
			to = min(to, i)
		}
	}
	if w.backward {
		from = max(from, to-w.limit)
	} else {
		to = min(to, from+w.limit)
	}
	c := entryPage(part[from:to], entries[from:to], len(part))
	c.Before, c.More = from > 0, to < len(part)
	return c, nil
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
