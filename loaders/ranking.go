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

// Ranking lists the current positions of a player or guild, the best one on each board, in the order of the boards.
type Ranking struct {
	UUID      string
	Positions []*model.RankPosition
}

var (
	playerRankingKind = &recordKind[Ranking]{
		prefix: "player ranking ", partOf: playerKind.prefix, uuid: uuidOfRanking, tag: playerTag, size: rankingSize,
	}
	guildRankingKind = &recordKind[Ranking]{
		prefix: "guild ranking ", partOf: guildKind.prefix, uuid: uuidOfRanking, tag: guildTag, size: rankingSize,
	}
)

func uuidOfRanking(r *Ranking) string { return r.UUID }

func rankingSize(r *Ranking) int { return 120 + len(r.Positions)*56 }

type boardIndexes map[string]boardIndex

// boardIndex is a board with the number of entries before each page.
type boardIndex struct {
	pages  []mongo.PageRef
	before []int
	count  int
	at     time.Time // of the refresh; zero before the first one
}

func newBoardIndexes(directories []*mongo.Directory) boardIndexes {
	out := make(boardIndexes, len(directories))
	for _, d := range directories {
		if d == nil {
			continue
		}
		b := boardIndex{pages: d.Pages, before: make([]int, len(d.Pages))}
		if d.RefreshedAt != nil {
			b.at = *d.RefreshedAt
		}
		for i, p := range d.Pages {
			b.before[i] = b.count
			b.count += p.Count
		}
		out[d.Board] = b
	}
	return out
}

// pageOf returns the index of the page where a key is or belongs, or the number of pages if the key comes after the
// last one.
func (b boardIndex) pageOf(k leaderboard.Key) int {
	return sort.Search(len(b.pages), func(i int) bool { return k.Compare(b.pages[i].Last) <= 0 })
}

func (s *Source) readBoardIndexes(ctx context.Context) (boardIndexes, error) {
	directories, err := s.store.Boards.AllDirectories(ctx)
	return newBoardIndexes(directories), err
}

// rankings returns a read of rankings by uuid, with nil for players and guilds not yet covered by a refresh. Positions
// are looked up on the boards, because one new score shifts every position below it.
func (s *Source) rankings(of mongo.Ranked) func(context.Context, []string) ([]*Ranking, error) {
	return func(ctx context.Context, uuids []string) ([]*Ranking, error) {
		return readBoards(ctx, s, s.readBoardIndexes, func(ctx context.Context, boards boardIndexes) ([]*Ranking, error) {
			return s.readRankings(ctx, boards, of, uuids)
		})
	}
}

func (s *Source) standings(of mongo.Ranked) func(context.Context, []string) ([]*mongo.Standing, error) {
	return func(ctx context.Context, uuids []string) ([]*mongo.Standing, error) {
		return s.store.Standings.ByUUID(ctx, of, uuids)
	}
}

// placesOf returns the places of a player or guild, or none if the standing belongs to a deleted one.
func placesOf(s *mongo.Standing) ([]leaderboard.Place, error) {
	if s.Former {
		return nil, nil
	}
	return leaderboard.Standing(s.Entries).Places(s.UUID)
}

// lookup is a key and the page of a board that may contain it.
type lookup struct {
	board boardIndex
	page  int
	key   leaderboard.Key
	// position receives the position in a ranking if no better one is known.
	position *int
}

func (l lookup) pageID() int64 { return l.board.pages[l.page].ID }

// pagesPerRead limits a read of many rankings to a few megabytes of memory.
const pagesPerRead = 200

// find reads the pages of lookups, which are grouped by page, and calls found with the index of each key that its page
// contains.
func find(lookups []lookup, read func(ids []int64) ([]leaderboard.Page, error), found func(l lookup, index int)) error {
	ids := make([]int64, len(lookups))
	for i, l := range lookups {
		ids[i] = l.pageID()
	}
	for ids := range slices.Chunk(slices.Compact(ids), pagesPerRead) {
		pages, err := read(ids)
		if err != nil {
			return err
		}
		for i, id := range ids {
			for ; len(lookups) > 0 && lookups[0].pageID() == id; lookups = lookups[1:] {
				if index, ok := pages[i].Find(lookups[0].key); ok {
					found(lookups[0], index)
				}
			}
		}
	}
	return nil
}

// readRankings reads rankings. It returns a MalformedError if a standing is malformed.
func (s *Source) readRankings(ctx context.Context, boards boardIndexes, of mongo.Ranked, uuids []string) (
	[]*Ranking, error,
) {
	standings, err := s.store.Standings.ByUUID(ctx, of, uuids)
	var malformed *mongo.MalformedError
	if err != nil && !errors.As(err, &malformed) {
		return nil, err
	}
	failures := map[int]error{}
	if malformed != nil {
		failures = malformed.Failures
	}
	out := make([]*Ranking, len(uuids))
	var lookups []lookup
	for i, standing := range standings {
		if standing == nil {
			continue
		}
		places, err := placesOf(standing)
		if err != nil {
			failures[i] = err
			continue
		}
		out[i] = &Ranking{UUID: standing.UUID, Positions: []*model.RankPosition{}}
		lookups = append(lookups, out[i].lookups(boards, places)...)
	}
	slices.SortFunc(lookups, func(a, b lookup) int { return cmp.Compare(a.pageID(), b.pageID()) })
	// One ranking needs a page of every board: in the cache they would evict the pages that readers of a board share.
	read := func(ids []int64) ([]leaderboard.Page, error) {
		stored, err := s.store.Boards.Pages(ctx, ids)
		if err != nil {
			return nil, err
		}
		return parsePages(stored)
	}
	if err := find(lookups, read, lookup.improve); err != nil {
		return nil, err
	}
	for _, r := range out {
		if r != nil {
			r.Positions = slices.DeleteFunc(r.Positions, func(p *model.RankPosition) bool { return p.Position == 0 })
		}
	}
	if len(failures) > 0 {
		return out, &mongo.MalformedError{Failures: failures}
	}
	return out, nil
}

// lookups adds an empty position for each board, and returns where to look up its number. A standing may list entries
// that the board has dropped already or does not contain yet.
func (r *Ranking) lookups(boards boardIndexes, places []leaderboard.Place) []lookup {
	out := make([]lookup, 0, len(places))
	for _, p := range places {
		board := boards[p.Board]
		page := board.pageOf(p.Key)
		if page == len(board.pages) {
			continue
		}
		if n := len(r.Positions); n == 0 || r.Positions[n-1].Type != p.Board {
			r.Positions = append(r.Positions, &model.RankPosition{Type: p.Board})
		}
		position := &r.Positions[len(r.Positions)-1].Position
		out = append(out, lookup{board, page, p.Key, position})
	}
	return out
}

// improve records the position of a key at an index of its page if it is the best one.
func (l lookup) improve(index int) {
	if position := l.board.before[l.page] + index + 1; *l.position == 0 || position < *l.position {
		*l.position = position
	}
}
