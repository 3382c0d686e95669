package jobs

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// inventedDays is how many days of positions a demo world begins with. On each the first inventedTop entries had other
// positions among themselves.
const inventedDays, inventedTop = 30, 128

// boardTops reads the first n entries of the stored boards that can still change. A board that is replaced meanwhile
// is left out.
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

// inventTops writes positions of days before the present ones, as a demo world has them: the scores were lower, those
// of some players more than those of others. It returns the best positions of the day before, by board and uuid.
func inventTops(ctx context.Context, store *mongo.Store, now time.Time) (map[string]map[string]int, error) {
	tops, err := boardTops(ctx, store, now, inventedTop)
	if err != nil {
		return nil, err
	}
	yesterday := map[string]map[string]int{}
	var list []mongo.BoardTop
	for board, keys := range tops {
		for ago := range inventedDays + 1 {
			past := slices.Clone(keys)
			for i, k := range keys {
				copy(past[i][:8], before(board, k, ago))
			}
			slices.SortFunc(past, leaderboard.Key.Compare)
			if ago == 1 {
				yesterday[board] = bestPositions(past)
			}
			list = append(list, mongo.BoardTop{
				BoardDay: mongo.BoardDay{Board: board, Day: now.UTC().Truncate(day).Add(-time.Duration(ago) * day)},
				Entries:  leaderboard.PackTop(past[:min(len(past), leaderboard.TopSize)]),
			})
		}
	}
	return yesterday, store.Boards.PutTops(ctx, list, history.DefaultRetention.Daily)
}

func bestPositions(keys []leaderboard.Key) map[string]int {
	out := map[string]int{}
	for i, k := range keys {
		if _, ok := out[k.UUID()]; !ok {
			out[k.UUID()] = i + 1
		}
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
