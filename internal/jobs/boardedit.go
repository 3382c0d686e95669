package jobs

import (
	"context"
	"slices"
	"sort"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// edit removes entries from a board and inserts others. It is idempotent.
func (w *pageWriter) edit(ctx context.Context, d *mongo.Directory, refreshed *time.Time, drop, insert []leaderboard.Key,
) error {
	slices.SortFunc(drop, leaderboard.Key.Compare)
	slices.SortFunc(insert, leaderboard.Key.Compare)
	e := boardEdit{to: w, drop: drop, insert: insert, refs: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	pages := d.Pages
	if len(pages) == 0 {
		pages = []mongo.PageRef{{}}
	}
	for len(pages) > 0 {
		n := min(maxPages, len(pages))
		if err := e.pages(ctx, pages[:n], n == len(pages)); err != nil {
			return err
		}
		pages = pages[n:]
	}
	if !e.edited {
		return nil
	}
	return w.replace(ctx, &mongo.Directory{Board: d.Board, RefreshedAt: refreshed, Count: e.count, Pages: e.refs})
}

// boardEdit updates a board page by page.
type boardEdit struct {
	to     *pageWriter
	drop   []leaderboard.Key
	insert []leaderboard.Key
	refs   []mongo.PageRef
	count  int // entries before the next page
	edited bool
}

// pages updates some pages of the directory. The last page of the board takes all entries after it.
func (e *boardEdit) pages(ctx context.Context, refs []mongo.PageRef, last bool) error {
	type part struct{ drop, want []leaderboard.Key }
	parts := make([]part, len(refs))
	var ids []int64
	for i, ref := range refs {
		nd, nw := len(e.drop), len(e.insert)
		if !last || i < len(refs)-1 {
			nd = sort.Search(nd, func(n int) bool { return leaderboard.Key(ref.Last).Compare(e.drop[n]) < 0 })
			nw = sort.Search(nw, func(n int) bool { return leaderboard.Key(ref.Last).Compare(e.insert[n]) < 0 })
		}
		parts[i] = part{e.drop[:nd], e.insert[:nw]}
		e.drop, e.insert = e.drop[nd:], e.insert[nw:]
		if nd+nw > 0 && ref.Count > 0 {
			ids = append(ids, ref.ID)
		}
	}
	read, err := e.to.store.Pages(ctx, ids)
	if err != nil {
		return err
	}
	for i, ref := range refs {
		var page leaderboard.Page
		if len(parts[i].drop)+len(parts[i].want) == 0 {
			if ref.Count > 0 {
				e.refs = append(e.refs, ref)
				e.count += ref.Count
			}
			continue
		}
		if ref.Count > 0 {
			page, err = leaderboard.ParsePage(read[0])
			if err != nil || page.Len() != ref.Count {
				return errMissingPage
			}
			read = read[1:]
		}
		if err := e.apply(ctx, ref, page, parts[i].drop, parts[i].want); err != nil {
			return err
		}
	}
	return nil
}

func (e *boardEdit) apply(ctx context.Context, ref mongo.PageRef, page leaderboard.Page, drop, want []leaderboard.Key,
) error {
	next := page.Apply(drop, want)
	e.count += next.Len()
	if next.Len() == page.Len() && (next.Len() == 0 || &next[0] == &page[0]) {
		if ref.Count > 0 {
			e.refs = append(e.refs, ref)
		}
		return nil
	}
	e.edited = true
	if ref.Count > 0 {
		e.to.old = append(e.to.old, ref.ID)
	}
	for _, p := range next.Split() {
		added, err := e.to.add(ctx, p)
		if err != nil {
			return err
		}
		e.refs = append(e.refs, added)
	}
	return nil
}
