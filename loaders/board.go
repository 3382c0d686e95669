package loaders

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// BoardPart has consecutive entries of a stored leaderboard at one refresh.
type BoardPart struct {
	// RefreshedAt is nil before the first refresh.
	RefreshedAt *time.Time
	// Count is the number of entries of the whole board.
	Count int
	// First is the position of the first of Keys, from 1.
	First int
	Keys  []leaderboard.Key
}

// errBoardReplaced means that a refresh replaced pages after the directory was read.
var errBoardReplaced = errors.New("the leaderboard was refreshed while it was read")

// maxBoardReads is how often a board is read when a refresh replaces it meanwhile.
const maxBoardReads = 3

// BoardTop reads the first n entries of a stored board.
func (set *Set) BoardTop(ctx context.Context, board string, n int) (*BoardPart, error) {
	return set.boardPart(ctx, board, func(*openBoard) (int, bool, error) { return 1, true, nil }, n)
}

// BoardAround reads n entries of a stored board around the best one of a uuid, see Around; nil if the uuid has none.
func (set *Set) BoardAround(ctx context.Context, board *leaderboard.Board, uuid string, n int) (*BoardPart, error) {
	of := mongo.RankedPlayers
	if board.OfGuilds() {
		of = mongo.RankedGuilds
	}
	standing, err := set.source.store.Standings(ctx, of, []string{uuid})
	if err != nil || standing[0] == nil {
		return nil, err
	}
	places, err := leaderboard.Standing(standing[0].Entries).Places(uuid)
	if err != nil {
		return nil, err
	}
	places = slices.DeleteFunc(places, func(p leaderboard.Place) bool { return p.Board != board.Name })
	// A standing may list entries that are not on the board any more or not yet.
	slices.SortFunc(places, func(a, b leaderboard.Place) int { return a.Key.Compare(b.Key) })
	return set.boardPart(ctx, board.Name, func(b *openBoard) (int, bool, error) {
		for _, p := range places {
			if at, ok, err := b.find(p.Key); ok || err != nil {
				return Around(at, n, b.Count), ok, err
			}
		}
		return 0, false, nil
	}, n)
}

// Around returns the first of n positions around one, of count: as many above as below where there are
// enough, one more below if n is even.
func Around(position, n, count int) int { return max(1, min(position-(n-1)/2, count-n+1)) }

func (set *Set) boardPart(ctx context.Context, board string, first func(*openBoard) (int, bool, error), n int) (
	*BoardPart, error,
) {
	var err error
	for range maxBoardReads {
		var part *BoardPart
		if part, err = set.readBoard(ctx, board, first, n); !errors.Is(err, errBoardReplaced) {
			return part, err
		}
		set.directory.Clear(ctx, board)
		ctx = mongo.FromPrimary(ctx) // a secondary may have the directory but not yet the pages
	}
	return nil, err
}

func (set *Set) readBoard(ctx context.Context, board string, first func(*openBoard) (int, bool, error), n int) (
	*BoardPart, error,
) {
	d, err := set.directory.Load(ctx, board)()
	if err != nil {
		return nil, err
	}
	b := &openBoard{Directory: cmp.Or(d, &mongo.Directory{}), ctx: ctx, set: set}
	at, ok, err := first(b)
	if err != nil || !ok {
		return nil, err
	}
	keys, err := b.keys(at, n)
	if err != nil {
		return nil, err
	}
	return &BoardPart{RefreshedAt: b.RefreshedAt, Count: b.Count, First: at, Keys: keys}, nil
}

// openBoard is a board with its directory.
type openBoard struct {
	*mongo.Directory
	ctx context.Context
	set *Set
}

// read returns pages of the board; each is read once per operation.
func (b *openBoard) read(refs []mongo.PageRef) ([]leaderboard.Page, error) {
	ids := make([]int64, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	found, err := Many(b.ctx, b.set.boardPage, ids)
	if err != nil {
		return nil, err
	}
	pages := make([]leaderboard.Page, len(found))
	for i, entries := range found {
		if entries == nil {
			b.set.boardPage.Clear(b.ctx, ids[i])
			return nil, errBoardReplaced
		}
		if pages[i], err = leaderboard.ParsePage(entries); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

func (b *openBoard) find(k leaderboard.Key) (int, bool, error) {
	i := sort.Search(len(b.Pages), func(i int) bool { return k.Compare(b.Pages[i].Last) <= 0 })
	if i == len(b.Pages) {
		return 0, false, nil
	}
	page, err := b.read(b.Pages[i : i+1])
	if err != nil {
		return 0, false, err
	}
	before := 0
	for _, r := range b.Pages[:i] {
		before += r.Count
	}
	at, ok := page[0].Find(k)
	return before + at + 1, ok, nil
}

// keys reads up to n entries from a position on.
func (b *openBoard) keys(first, n int) ([]leaderboard.Key, error) {
	from, skip := 0, first-1
	for from < len(b.Pages) && skip >= b.Pages[from].Count {
		skip -= b.Pages[from].Count
		from++
	}
	to := from
	for total := -skip; to < len(b.Pages) && total < n; to++ {
		total += b.Pages[to].Count
	}
	pages, err := b.read(b.Pages[from:to])
	if err != nil {
		return nil, err
	}
	out := []leaderboard.Key{}
	for _, page := range pages {
		for i := skip; i < page.Len() && len(out) < n; i++ {
			out = append(out, page.At(i))
		}
		skip = 0
	}
	return out, nil
}

// ExperienceByOwner reads the experience of every character of players by the player's uuid.
// The records are partial: lookups by uuid do not return them.
func (set *Set) ExperienceByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	for _, uuid := range uuids {
		set.log.addTag(playerTag, uuid)
	}
	return set.source.store.ExperienceByOwner(ctx, uuids)
}
