package jobs

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// inventedDays is how many days of positions a demo world begins with. They are positions of the first
// inventedTop entries, among whom previous positions were swapped.
const inventedDays, inventedTop = 30, 128

// inventedPositions are previous positions among the first ones, by board and uuid.
type inventedPositions map[string]map[string]int

// record returns an Invent function that records what another one returns.
func (p inventedPositions) record(invent func(string, []*model.RankPosition) []*model.RankPosition,
) func(string, []*model.RankPosition) []*model.RankPosition {
	return func(uuid string, now []*model.RankPosition) []*model.RankPosition {
		out := invent(uuid, now)
		for _, r := range out {
			if r.Position > inventedTop {
				continue
			}
			if p[r.Type] == nil {
				p[r.Type] = map[string]int{}
			}
			p[r.Type][uuid] = r.Position
		}
		return out
	}
}

// boardTops reads the first n entries of the stored boards that can still change. A board that is being replaced is
// left out.
func boardTops(ctx context.Context, store *mongo.Store, now time.Time, n int) (map[string][]leaderboard.Key, error) {
	catalogue, err := readCatalogue(ctx, store, now)
	if err != nil {
		return nil, err
	}
	directories, err := store.Boards.AllDirectories(ctx)
	if err != nil {
		return nil, err
	}
	pages, ids := map[string][]int64{}, []int64{}
	for _, d := range directories {
		b := catalogue.Named(d.Board)
		if b == nil || b.Season != nil && b.Season.EndsAt != nil && now.Sub(*b.Season.EndsAt) > 2*day {
			continue
		}
		for i, count := 0, 0; i < len(d.Pages) && count < n; i++ {
			pages[d.Board] = append(pages[d.Board], d.Pages[i].ID)
			count += d.Pages[i].Count
		}
		ids = append(ids, pages[d.Board]...)
	}
	found, err := store.Boards.Pages(ctx, ids)
	if err != nil {
		return nil, err
	}
	entries := map[int64][]byte{}
	for i, id := range ids {
		entries[id] = found[i]
	}
	out := map[string][]leaderboard.Key{}
	for board, ids := range pages {
		if slices.ContainsFunc(ids, func(id int64) bool { return entries[id] == nil }) {
			continue
		}
		for _, id := range ids {
			page, err := leaderboard.ParsePage(entries[id])
			if err != nil {
				return nil, err
			}
			for i := 0; i < page.Len() && len(out[board]) < n; i++ {
				out[board] = append(out[board], page.At(i))
			}
		}
	}
	return out, nil
}

// boards records the first entries of the boards: of the day until it ends.
func (h *historian) boards() error {
	tops, err := boardTops(h.ctx, h.store, h.now, leaderboard.TopSize)
	if err != nil {
		return err
	}
	var list []mongo.BoardTop
	for board, keys := range tops {
		list = append(list, mongo.BoardTop{
			BoardDay: mongo.BoardDay{Board: board, Day: h.now.Truncate(day)}, Entries: leaderboard.PackTop(keys),
		})
	}
	return h.store.Boards.PutTops(h.ctx, list, h.Retention.Daily)
}

// inventTops writes positions of days before the present ones, as a demo world has them. The positions of the day
// before are the invented previous positions; on earlier days scores were lower, some more than others.
func inventTops(ctx context.Context, store *mongo.Store, now time.Time, previous inventedPositions) error {
	tops, err := boardTops(ctx, store, now, inventedTop)
	if err != nil {
		return err
	}
	var list []mongo.BoardTop
	for board, keys := range tops {
		yesterday := previousTop(keys, previous[board])
		for ago := range inventedDays + 1 {
			past := keys
			if ago > 0 {
				past = slices.Clone(yesterday)
				for i, k := range past {
					copy(past[i][:8], before(board, k, ago-1))
				}
				slices.SortStableFunc(past, func(a, b leaderboard.Key) int { return cmp.Compare(b.MetaScore(), a.MetaScore()) })
			}
			list = append(list, mongo.BoardTop{
				BoardDay: mongo.BoardDay{Board: board, Day: now.UTC().Truncate(day).Add(-time.Duration(ago) * day)},
				Entries:  leaderboard.PackTop(past[:min(len(past), leaderboard.TopSize)]),
			})
		}
	}
	return store.Boards.PutTops(ctx, list, history.DefaultRetention.Daily)
}

// previousTop returns the entries of a board by their previous positions, with scores below the present ones. A further
// character of a player gets the next free position. One that nobody had has a key of nobody.
func previousTop(keys []leaderboard.Key, previous map[string]int) []leaderboard.Key {
	out := make([]leaderboard.Key, inventedTop)
	var further []leaderboard.Key
	seen := map[string]bool{}
	for _, k := range keys {
		switch at := previous[k.UUID()]; {
		case at > 0 && seen[k.UUID()]:
			further = append(further, k)
		case at > 0:
			out[at-1], seen[k.UUID()] = k, true
		}
	}
	for _, k := range further {
		for i := previous[k.UUID()]; i < len(keys); i++ {
			if out[i] == (leaderboard.Key{}) {
				out[i] = k
				break
			}
		}
	}
	for len(out) > 0 && out[len(out)-1] == (leaderboard.Key{}) {
		out = out[:len(out)-1]
	}
	for i := range out {
		score := keys[min(i, len(keys)-1)].MetaScore()
		k := leaderboard.PackKey(max(1, score-score/100), [16]byte{}, [16]byte{})
		copy(out[i][:8], k[:8])
	}
	return out
}

// before returns the score of an entry some days ago, as in a Key.
func before(board string, k leaderboard.Key, ago int) []byte {
	h := fnv.New64a()
	_, _ = h.Write([]byte(board))
	_, _ = h.Write(k[8:])
	pace := 0.08 * rand.New(rand.NewPCG(h.Sum64(), 0)).Float64()
	score := float64(k.MetaScore()) * (1 - pace*math.Sqrt(float64(ago)))
	if ago == 0 {
		return k[:8]
	}
	key := leaderboard.PackKey(max(1, int64(score)), [16]byte{}, [16]byte{})
	return key[:8]
}
