package loaders

import (
	"context"
	"errors"
	"slices"
	"sort"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// BoardEntry is an entry of a stored leaderboard.
type BoardEntry struct {
	// Position is the position on the board, starting at 1.
	Position int
	Key      leaderboard.Key
	// RefreshedAt is when the board was refreshed.
	RefreshedAt time.Time
	place       BoardPlace
}

// BoardPlace records where an entry was read. It names no player, so a cursor may contain it.
type BoardPlace struct {
	Position int
	// MetaScore is the metaScore of the entry, or up to Above less.
	MetaScore, Above int64
	// Page is the id of the stored page, Index the entry's index on it. A change of any entry replaces the page.
	Page  int64
	Index int
}

// Place returns where the entry was read.
func (e BoardEntry) Place() BoardPlace { return e.place }

// HiddenPlace is Place with the metaScore reduced to what the score reveals.
func (e BoardEntry) HiddenPlace(b *leaderboard.Board) BoardPlace {
	p := e.place
	p.MetaScore, p.Above = b.Shown(p.MetaScore)
	return p
}

// Board is a stored leaderboard opened for reading.
type Board struct {
	boardIndex
	ctx context.Context
	set *Set
}

// errBoardReplaced means that a refresh replaced pages after the directory was read.
var errBoardReplaced = errors.New("the leaderboard was refreshed while it was read")

// maxBoardReads is the maximum number of attempts to read a board that refreshes keep replacing.
const maxBoardReads = 3

// ReadBoard calls read with a stored board and returns its result. Before the first refresh the board is empty. If a
// refresh replaces the board during the read, it calls read again.
func ReadBoard[T any](ctx context.Context, name string, read func(*Board) (T, error)) (T, error) {
	set := From(ctx)
	reread := func(ctx context.Context) (boardIndexes, error) {
		found, err := set.source.store.Boards.Directories(ctx, []string{name})
		return newBoardIndexes(found), err
	}
	return readBoards(ctx, set.source, reread, func(ctx context.Context, boards boardIndexes) (T, error) {
		return read(&Board{boards[name], ctx, set})
	})
}

// readBoards calls read with all boards. If a refresh replaces pages during the read, it calls read again with the
// boards that reread returns.
func readBoards[T any](ctx context.Context, s *Source, reread func(context.Context) (boardIndexes, error),
	read func(context.Context, boardIndexes) (T, error),
) (out T, err error) {
	boards, err := s.boards.get(ctx)
	for try := 1; err == nil; try++ {
		out, err = read(ctx, boards)
		if !errors.Is(err, errBoardReplaced) || try == maxBoardReads {
			break
		}
		ctx = mongo.FromPrimary(ctx) // a secondary may not have the pages yet
		boards, err = reread(ctx)
	}
	return out, err
}

// FirstEntries returns the first n entries of a stored board.
func FirstEntries(ctx context.Context, name string, n int) ([]BoardEntry, error) {
	return ReadBoard(ctx, name, func(b *Board) ([]BoardEntry, error) { return b.Entries(1, n) })
}

// BoardRefreshed returns when a stored board was last refreshed, nil before the first refresh.
func (set *Set) BoardRefreshed(ctx context.Context, name string) (*time.Time, error) {
	d, err := set.directory.Load(ctx, name)()
	if err != nil || d == nil {
		return nil, err
	}
	return d.RefreshedAt, nil
}

// Count returns the number of entries.
func (b *Board) Count() int { return b.count }

// read returns pages of the board by their ids; each is read once per operation.
func (b *Board) read(ids []int64) ([]leaderboard.Page, error) {
	found, err := Many(b.ctx, b.set.boardPage, ids)
	if err != nil {
		return nil, err
	}
	pages, err := parsePages(found)
	if errors.Is(err, errBoardReplaced) {
		for _, id := range ids {
			b.set.boardPage.Clear(id)
		}
	}
	return pages, err
}

// parsePages parses stored pages. A missing page means that a refresh has replaced it.
func parsePages(stored [][]byte) (pages []leaderboard.Page, err error) {
	pages = make([]leaderboard.Page, len(stored))
	for i, entries := range stored {
		if entries == nil {
			return nil, errBoardReplaced
		}
		if pages[i], err = leaderboard.ParsePage(entries); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// cachedPage is a page in memory. It never changes. Only an import reuses its id, and an import purges everything.
type cachedPage struct {
	entries    []byte
	generation uint64 // of the purges when the page was read
}

// boardPages reads pages in the order of the ids; missing pages are nil.
func (s *Source) boardPages(ctx context.Context, ids []int64) ([][]byte, error) {
	out := make([][]byte, len(ids))
	var missing []int64
	var places []int
	for i, id := range ids {
		page, ok := s.pages.Get(id)
		if ok && !s.o.Purges.InvalidatedSince(nil, page.generation) {
			out[i] = page.entries
			continue
		}
		missing, places = append(missing, id), append(places, i)
	}
	generation := s.o.Purges.Generation()
	found, err := s.store.Boards.Pages(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, page := range found {
		out[places[i]] = page
		if page != nil {
			s.pages.Add(missing[i], cachedPage{page, generation})
		}
	}
	return out, nil
}

func (b *Board) entry(page, index int, k leaderboard.Key) BoardEntry {
	position := b.before[page] + index + 1
	return BoardEntry{position, k, b.at, BoardPlace{position, k.MetaScore(), 0, b.pages[page].ID, index}}
}

// Entries reads up to n entries from a position on. It costs the same at every position.
func (b *Board) Entries(first, n int) ([]BoardEntry, error) {
	first = max(first, 1)
	n = min(n, b.count-first+1)
	if n <= 0 {
		return []BoardEntry{}, nil
	}
	from := sort.Search(len(b.pages), func(i int) bool { return b.before[i] >= first }) - 1
	to := sort.Search(len(b.pages), func(i int) bool { return b.before[i] >= first+n-1 })
	ids := make([]int64, to-from)
	for i := range ids {
		ids[i] = b.pages[from+i].ID
	}
	pages, err := b.read(ids)
	if err != nil {
		return nil, err
	}
	out := make([]BoardEntry, 0, n)
	skip := first - 1 - b.before[from]
	for i, page := range pages {
		for at := skip; at < page.Len() && len(out) < n; at++ {
			out = append(out, b.entry(from+i, at, page.At(at)))
		}
		skip = 0
	}
	return out, nil
}

// Find returns the entries with the given keys, sorted by position. It skips keys that the board lacks.
func (b *Board) Find(keys []leaderboard.Key) ([]BoardEntry, error) {
	var lookups []lookup
	for _, k := range slices.SortedFunc(slices.Values(keys), leaderboard.Key.Compare) {
		if page := b.pageOf(k); page < len(b.pages) {
			lookups = append(lookups, lookup{board: b.boardIndex, page: page, key: k})
		}
	}
	var out []BoardEntry
	err := find(lookups, b.read, func(l lookup, index int) { out = append(out, b.entry(l.page, index, l.key)) })
	return out, err
}

// Resume locates a place: it returns the number of entries before its entry, and the number up to and including it. If
// the page was replaced, Resume uses the entry with the same score nearest to the old position. If no entry has that
// score, both results are the number of entries with higher scores.
func (b *Board) Resume(p BoardPlace) (before, upTo int, err error) {
	for i, ref := range b.pages {
		if ref.ID == p.Page && p.Index >= 0 && p.Index < ref.Count {
			before = b.before[i] + p.Index
			return before, before + 1, nil
		}
	}
	highest, err := b.entriesBefore(leaderboard.PackKey(p.MetaScore+p.Above, [16]byte{}, [16]byte{}))
	if err != nil {
		return 0, 0, err
	}
	lowest := b.count
	if p.MetaScore > 0 {
		if lowest, err = b.entriesBefore(leaderboard.PackKey(p.MetaScore-1, [16]byte{}, [16]byte{})); err != nil {
			return 0, 0, err
		}
	}
	if highest == lowest {
		return highest, highest, nil
	}
	at := min(max(p.Position, highest+1), lowest)
	return at - 1, at, nil
}

func (b *Board) entriesBefore(k leaderboard.Key) (int, error) {
	i := b.pageOf(k)
	if i == len(b.pages) {
		return b.count, nil
	}
	pages, err := b.read([]int64{b.pages[i].ID})
	if err != nil {
		return 0, err
	}
	at, _ := pages[0].Find(k)
	return b.before[i] + at, nil
}

// Around returns the first of n positions around a position on a board of count entries: as many above as below as far
// as the board allows, and one more below if n is even.
func Around(position, n, count int) int { return max(1, min(position-(n-1)/2, count-n+1)) }

// BoardKeys returns the keys on a stored board of players or guilds by uuid. The board may have dropped some keys
// already or not contain them yet.
func (set *Set) BoardKeys(ctx context.Context, board *leaderboard.Board, uuids []string) ([]leaderboard.Key, error) {
	of := set.playerStanding
	if board.OfGuilds() {
		of = set.guildStanding
	}
	standings, err := Many(ctx, of, uuids)
	if err != nil {
		return nil, err
	}
	var keys []leaderboard.Key
	for _, s := range standings {
		if s == nil {
			continue
		}
		places, err := placesOf(s)
		if err != nil {
			continue // malformed
		}
		for _, p := range places {
			if p.Board == board.Name {
				keys = append(keys, p.Key)
			}
		}
	}
	return keys, nil
}

// experience reads the experience of every character of players by the player's uuid.
func (set *Set) experience(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	for _, uuid := range uuids {
		set.log.addTag(playerTag, uuid)
	}
	return set.source.store.Characters.ExperienceByOwner(ctx, uuids)
}
