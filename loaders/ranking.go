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

func newBoardIndex(d *mongo.Directory) boardIndex {
	b := boardIndex{pages: d.Pages, before: make([]int, len(d.Pages))}
	if d.RefreshedAt != nil {
		b.at = *d.RefreshedAt
	}
	for i, p := range d.Pages {
		b.before[i] = b.count
		b.count += p.Count
	}
	return b
}

func (s *Source) readBoardIndexes(ctx context.Context) (boardIndexes, error) {
	directories, err := s.store.Boards.AllDirectories(ctx)
	if err != nil {
		return nil, err
	}
	out := make(boardIndexes, len(directories))
	for _, d := range directories {
		out[d.Board] = newBoardIndex(d)
	}
	return out, nil
}

// rankings returns a read of rankings by uuid, with nil for players and guilds not yet covered by a refresh. Positions
// are looked up on the boards, because one new score shifts every position below it.
func (set *Set) rankings(of mongo.Ranked) func(context.Context, []string) ([]*Ranking, error) {
	return func(ctx context.Context, uuids []string) ([]*Ranking, error) {
		boards, err := set.source.boards.get(ctx)
		if err != nil {
			return nil, err
		}
		for try := 1; ; try++ {
			out, err := set.readRankings(ctx, boards, of, uuids)
			if !errors.Is(err, errBoardReplaced) || try == maxBoardReads {
				return out, err
			}
			ctx = mongo.FromPrimary(ctx) // a secondary may not have the pages yet
			if boards, err = set.source.readBoardIndexes(ctx); err != nil {
				return nil, err
			}
		}
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

type lookup struct {
	page   mongo.PageRef
	before int // entries of the board before the page
	key    leaderboard.Key
	// position receives the position if the page contains the key and no better position is known.
	position *int
}

// pagesPerRead limits a read of many rankings to a few megabytes of memory.
const pagesPerRead = 200

// readRankings makes one attempt to read rankings. It returns a MalformedError if a standing is malformed.
func (set *Set) readRankings(ctx context.Context, boards boardIndexes, of mongo.Ranked, uuids []string) (
	[]*Ranking, error,
) {
	standings, err := set.source.store.Standings.ByUUID(ctx, of, uuids)
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
	for i, s := range standings {
		if s == nil {
			continue
		}
		places, err := placesOf(s)
		if err != nil {
			failures[i] = err
			continue
		}
		out[i] = &Ranking{UUID: s.UUID, Positions: []*model.RankPosition{}}
		lookups = append(lookups, out[i].lookups(boards, places)...)
	}
	slices.SortFunc(lookups, func(a, b lookup) int { return cmp.Compare(a.page.ID, b.page.ID) })
	if err := set.find(ctx, lookups); err != nil {
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
		at := sort.Search(len(board.pages), func(i int) bool { return p.Key.Compare(board.pages[i].Last) <= 0 })
		if at == len(board.pages) {
			continue
		}
		if n := len(r.Positions); n == 0 || r.Positions[n-1].Type != p.Board {
			r.Positions = append(r.Positions, &model.RankPosition{Type: p.Board})
		}
		position := &r.Positions[len(r.Positions)-1].Position
		out = append(out, lookup{board.pages[at], board.before[at], p.Key, position})
	}
	return out
}

func (set *Set) find(ctx context.Context, lookups []lookup) error {
	for len(lookups) > 0 {
		var ids []int64
		n := 0
		for ; n < len(lookups); n++ {
			id := lookups[n].page.ID
			if len(ids) > 0 && ids[len(ids)-1] == id {
				continue
			}
			if len(ids) == pagesPerRead {
				break
			}
			ids = append(ids, id)
		}
		pages, err := set.source.store.Boards.Pages(ctx, ids)
		if err != nil {
			return err
		}
		page := 0
		for _, l := range lookups[:n] {
			for ids[page] != l.page.ID {
				page++
			}
			if err := l.on(pages[page]); err != nil {
				return err
			}
		}
		lookups = lookups[n:]
	}
	return nil
}

func (l lookup) on(entries []byte) error {
	if entries == nil {
		return errBoardReplaced
	}
	page, err := leaderboard.ParsePage(entries)
	if err != nil {
		return err
	}
	if at, ok := page.Find(l.key); ok && (*l.position == 0 || l.before+at+1 < *l.position) {
		*l.position = l.before + at + 1
	}
	return nil
}
