package resolvers

import (
	"context"
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// Stored pages contain the uuids of characters, not their classes and gamemodes. A filter by class or gamemode reads
// the characters of one part of the board, then of larger parts until enough match.

const (
	// maxSearched limits the entries searched for one page, and so the characters read.
	maxSearched = 5000
	// firstSearched is the number of entries in the first part searched for a small page.
	firstSearched = 250
)

// searchEntries returns a page of the entries of a board of characters that match a filter by class or gamemode.
func searchEntries(ctx context.Context, b *leaderboard.Board, w window, filter *model.LeaderboardEntryFilter) (
	*model.LeaderboardEntryConnection, error,
) {
	return loaders.ReadBoard(ctx, b.Name, func(board *loaders.Board) (*model.LeaderboardEntryConnection, error) {
		all := w
		all.limit = board.Count()
		from, to, err := all.slice(board.Count(), placeOn(board))
		if err != nil {
			return nil, err
		}
		s := boardSearch{window: w, from: from + 1, to: to + 1}
		err = s.run(board.Entries, func(part []loaders.BoardEntry) ([]loaders.BoardEntry, error) {
			return matchingEntries(ctx, b, filter, part)
		})
		if err != nil {
			return nil, err
		}
		rows, err := present(ctx, b, s.found)
		return s.connect(b, rows), err
	})
}

// connect returns the connection of the rows found. It does not count all matches.
func (s *boardSearch) connect(b *leaderboard.Board, rows []row) *model.LeaderboardEntryConnection {
	c := &model.LeaderboardEntryConnection{Items: each(rows, row.shown), Cursor: rowCursor(b, rows)}
	end := ""
	if s.end != nil {
		end = boardCursor(s.end.HiddenPlace(b))
	}
	if s.backward {
		c.Before, c.More, c.Start = s.more, s.cursor != nil, end
	} else {
		c.Before, c.More, c.End = s.cursor != nil, s.more, end
	}
	return c
}

// boardSearch searches the positions from <= p < to, starting at either end.
type boardSearch struct {
	window
	from, to int

	found []loaders.BoardEntry // by position
	// more reports whether more matches may follow in the direction of the search.
	more bool
	// end is the last entry searched, if the search ended before it found enough.
	end *loaders.BoardEntry
}

// run searches a board for one entry more than the page needs, to know whether another page follows.
func (s *boardSearch) run(read func(first, n int) ([]loaders.BoardEntry, error),
	matching func([]loaders.BoardEntry) ([]loaders.BoardEntry, error),
) error {
	size := min(max(firstSearched, 2*s.limit), maxSearched)
	for left := maxSearched; s.to > s.from && len(s.found) <= s.limit; size = left {
		if left == 0 {
			s.more = true
			return nil
		}
		n := min(size, s.to-s.from)
		first := s.from
		if s.backward {
			first = s.to - n
		}
		part, err := read(first, n)
		if err != nil {
			return err
		}
		found, err := matching(part)
		if err != nil {
			return err
		}
		left -= n
		if s.backward {
			s.to, s.end, s.found = first, &part[0], slices.Concat(found, s.found)
		} else {
			s.from, s.end, s.found = first+n, &part[n-1], append(s.found, found...)
		}
	}
	s.end, s.more = nil, len(s.found) > s.limit
	if s.more && s.backward {
		s.found = s.found[len(s.found)-s.limit:]
	} else if s.more {
		s.found = s.found[:s.limit]
	}
	return nil
}

// matchingEntries returns the entries whose class and gamemode match a filter. It skips players who do not publicly
// share which characters are theirs.
func matchingEntries(ctx context.Context, b *leaderboard.Board, filter *model.LeaderboardEntryFilter,
	part []loaders.BoardEntry,
) ([]loaders.BoardEntry, error) {
	set := loaders.From(ctx)
	characters, err := loaders.Many(ctx, set.CharacterKind, each(part, entryCharacter))
	if err != nil {
		return nil, err
	}
	kinds := &model.CharacterFilter{Classes: filter.Classes, Gamemodes: filter.Gamemodes}
	var found []loaders.BoardEntry
	for i, c := range characters {
		if c != nil && matchesCharacter(c, kinds) {
			found = append(found, part[i])
		}
	}
	players, err := loaders.Many(ctx, set.PlayerByUUID, each(found, entryUUID))
	if err != nil {
		return nil, err
	}
	shared := make([]loaders.BoardEntry, 0, len(found))
	for i, p := range players {
		if p == nil || p.Banned {
			continue
		}
		forEveryone := &model.Player{Redaction: model.Redaction{Done: true, By: restrictedRules(p.Rules, relation{})}}
		if !hiddenOn(b, forEveryone) {
			shared = append(shared, found[i])
		}
	}
	return shared, nil
}
