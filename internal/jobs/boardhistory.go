package jobs

import (
	"context"
	"slices"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardTops reads the first entries of the stored boards that can still change. A board that is being replaced is
// left out.
func boardTops(ctx context.Context, store *mongo.Store, now time.Time) (map[string][]leaderboard.Key, error) {
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
		if b == nil || !b.Changes(now) {
			continue
		}
		for i, count := 0, 0; i < len(d.Pages) && count < leaderboard.TopSize; i++ {
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
			for i := 0; i < page.Len() && len(out[board]) < leaderboard.TopSize; i++ {
				out[board] = append(out[board], page.At(i))
			}
		}
	}
	return out, nil
}

// boards records the first entries of the boards: of the day until it ends.
func (h *historian) boards() error {
	tops, err := boardTops(h.ctx, h.store, h.now)
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
