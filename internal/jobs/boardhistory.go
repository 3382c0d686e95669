package jobs

import (
	"context"
	"slices"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardTops reads the top entries of the boards that can still change. It skips a board that is being replaced.
func boardTops(ctx context.Context, store *mongo.Store, now time.Time) ([]mongo.BoardTop, error) {
	catalogue, err := readCatalogue(ctx, store, now)
	if err != nil {
		return nil, err
	}
	directories, err := store.Boards.AllDirectories(ctx)
	if err != nil {
		return nil, err
	}
	pages, ids, refreshed := map[string][]int64{}, []int64{}, map[string]*time.Time{}
	for _, d := range directories {
		b := catalogue.Named(d.Board)
		if b == nil || !b.Changes(now) {
			continue
		}
		for i, count := 0, 0; i < len(d.Pages) && count < leaderboard.TopSize; i++ {
			pages[d.Board] = append(pages[d.Board], d.Pages[i].ID)
			count += d.Pages[i].Count
		}
		ids, refreshed[d.Board] = append(ids, pages[d.Board]...), d.RefreshedAt
	}
	found, err := store.Boards.Pages(ctx, ids)
	if err != nil {
		return nil, err
	}
	entries := map[int64][]byte{}
	for i, id := range ids {
		entries[id] = found[i]
	}
	var out []mongo.BoardTop
	for board, ids := range pages {
		if slices.ContainsFunc(ids, func(id int64) bool { return entries[id] == nil }) {
			continue
		}
		var top []leaderboard.Key
		for _, id := range ids {
			page, err := leaderboard.ParsePage(entries[id])
			if err != nil {
				return nil, err
			}
			for i := 0; i < page.Len() && len(top) < leaderboard.TopSize; i++ {
				top = append(top, page.At(i))
			}
		}
		t := mongo.BoardTop{BoardDay: mongo.BoardDay{Board: board, Day: now.Truncate(day)}, Entries: leaderboard.PackTop(top)}
		if at := refreshed[board]; at != nil {
			t.RefreshedAt = *at
		}
		out = append(out, t)
	}
	return out, nil
}

// boards records the top entries of the boards. Each run replaces the record of its day.
func (h *historian) boards() error {
	tops, err := boardTops(h.ctx, h.store, h.now)
	if err != nil {
		return err
	}
	return h.store.Boards.PutTops(h.ctx, tops, h.Retention.Daily)
}
