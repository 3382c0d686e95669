package jobs

import (
	"context"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardTops reads the top entries of the boards that can still change. It skips a board that is being replaced or
// whose pages are damaged.
func boardTops(ctx context.Context, store *mongo.Store, now time.Time) ([]mongo.BoardTop, error) {
	catalogue, err := readCatalogue(ctx, store, now)
	if err != nil {
		return nil, err
	}
	directories, err := store.Boards.AllDirectories(ctx)
	if err != nil {
		return nil, err
	}
	var boards []*mongo.Directory
	for _, d := range directories {
		if b := catalogue.Named(d.Board); b != nil && b.Changes(now) && len(d.Pages) > 0 {
			d.Pages = firstPages(d.Pages)
			boards = append(boards, d)
		}
	}
	pages := newPageReader(&store.Boards, boards...)
	var out []mongo.BoardTop
	for _, d := range boards {
		var top []leaderboard.Key
		whole := true
		for range d.Pages {
			page, err := pages.next(ctx)
			if err != nil {
				return nil, err
			}
			whole = whole && page != nil
			for i := 0; i < page.Len() && len(top) < leaderboard.TopSize; i++ {
				top = append(top, page.At(i))
			}
		}
		if !whole {
			continue
		}
		t := mongo.BoardTop{
			BoardDay: mongo.BoardDay{Board: d.Board, Day: now.Truncate(day)}, Entries: leaderboard.PackTop(top),
		}
		if d.RefreshedAt != nil {
			t.RefreshedAt = *d.RefreshedAt
		}
		out = append(out, t)
	}
	return out, nil
}

// firstPages returns the pages that have the top entries.
func firstPages(pages []mongo.PageRef) []mongo.PageRef {
	n, count := 0, 0
	for n < len(pages) && count < leaderboard.TopSize {
		count += pages[n].Count
		n++
	}
	return pages[:n]
}

// boards records the top entries of the boards. Each run replaces the record of its day.
func (h *historian) boards(ctx context.Context) error {
	tops, err := boardTops(ctx, h.store, h.now)
	if err != nil {
		return err
	}
	return h.store.Boards.PutTops(ctx, tops, h.Retention.Daily)
}
