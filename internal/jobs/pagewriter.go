package jobs

import (
	"context"
	"slices"
	"sort"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// maxPages bounds the pages in memory to some megabytes.
const maxPages = 400

// pageWriter writes pages and directories of boards for the holder of a lease. Boards share its writes, because each
// waits for the disk.
type pageWriter struct {
	store   *mongo.BoardStore
	epoch   int64
	dirs    map[string]*mongo.Directory // of all boards
	changed map[string]bool             // the boards written
	written int                         // pages

	count       uint32             // page ids used
	pages       []*mongo.BoardPage // to write
	directories []*mongo.Directory // to write after their pages
	old         []int64            // pages to delete after the directories are written
}

// add assigns an id to a page and queues it.
func (w *pageWriter) add(ctx context.Context, p leaderboard.Page) (mongo.PageRef, error) {
	w.count++
	ref := mongo.PageRef{ID: mongo.PageID(w.epoch, w.count), Count: p.Len(), Last: p.Last()}
	w.pages = append(w.pages, &mongo.BoardPage{ID: ref.ID, Entries: p})
	if len(w.pages) < maxPages {
		return ref, nil
	}
	return ref, w.flush(ctx)
}

// replaceChanged queues a directory, whose pages are queued or written, if its pages differ from the old ones.
func (w *pageWriter) replaceChanged(ctx context.Context, old, d *mongo.Directory) error {
	for _, ref := range d.Pages {
		d.Count += ref.Count
	}
	if d.Count == old.Count && slices.Equal(d.Pages, old.Pages) {
		return nil
	}
	w.directories = append(w.directories, d)
	if len(w.pages)+len(w.old) < maxPages {
		return nil
	}
	return w.commit(ctx)
}

// flush writes the queued pages; no directory names them yet.
func (w *pageWriter) flush(ctx context.Context) error {
	if err := w.store.InsertPages(ctx, w.pages); err != nil {
		return err
	}
	w.written += len(w.pages)
	w.pages = nil
	return nil
}

// commit writes what is queued: the pages, then the directories that name them, which it announces to readers that
// cache them. Then it deletes the replaced pages.
func (w *pageWriter) commit(ctx context.Context) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	if err := w.store.SwapDirectories(ctx, w.directories, w.epoch); err != nil {
		return err
	}
	if len(w.directories) > 0 {
		if err := w.store.Announce(ctx); err != nil {
			return err
		}
	}
	for _, d := range w.directories {
		w.dirs[d.Board], w.changed[d.Board] = d, true
	}
	if err := w.store.DeletePages(ctx, w.old); err != nil {
		return err
	}
	w.directories, w.old = nil, nil
	return nil
}

// discard forgets what is queued.
func (w *pageWriter) discard() { w.pages, w.directories, w.old = nil, nil, nil }

// pageEdit is the change of a page: entries to remove and to insert.
type pageEdit struct {
	mongo.PageRef
	drop, insert []leaderboard.Key
}

// editsOf assigns sorted changes to the pages of a board. The last page takes all entries after it.
func editsOf(pages []mongo.PageRef, drop, insert []leaderboard.Key) []pageEdit {
	if len(pages) == 0 {
		return []pageEdit{{drop: drop, insert: insert}}
	}
	edits := make([]pageEdit, len(pages))
	for i, ref := range pages {
		nd, ni := len(drop), len(insert)
		if i < len(pages)-1 {
			nd = sort.Search(nd, func(n int) bool { return leaderboard.Key(ref.Last).Compare(drop[n]) < 0 })
			ni = sort.Search(ni, func(n int) bool { return leaderboard.Key(ref.Last).Compare(insert[n]) < 0 })
		}
		edits[i] = pageEdit{ref, drop[:nd], insert[:ni]}
		drop, insert = drop[nd:], insert[ni:]
	}
	return edits
}

// edit removes entries from a board and inserts others. It is idempotent.
func (w *pageWriter) edit(ctx context.Context, d *mongo.Directory, refreshed *time.Time, drop, insert []leaderboard.Key,
) error {
	slices.SortFunc(drop, leaderboard.Key.Compare)
	slices.SortFunc(insert, leaderboard.Key.Compare)
	edits, pages := editsOf(d.Pages, drop, insert), &pageReader{store: w.store}
	for _, e := range edits {
		if len(e.drop)+len(e.insert) > 0 && e.Count > 0 {
			pages.refs = append(pages.refs, e.PageRef)
		}
	}
	edited := &mongo.Directory{Board: d.Board, RefreshedAt: refreshed, Pages: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	for _, e := range edits {
		refs, err := w.editPage(ctx, e, pages)
		if err != nil {
			return err
		}
		edited.Pages = append(edited.Pages, refs...)
	}
	return w.replaceChanged(ctx, d, edited)
}

// editPage returns the pages that replace a page. pages returns the stored one if the edit is not empty.
func (w *pageWriter) editPage(ctx context.Context, e pageEdit, pages *pageReader) (refs []mongo.PageRef, err error) {
	var page leaderboard.Page
	if len(e.drop)+len(e.insert) > 0 && e.Count > 0 {
		if page, err = pages.next(ctx); err != nil {
			return nil, err
		}
		if page.Len() != e.Count {
			return nil, errMissingPage
		}
	}
	next, changed := page.Apply(e.drop, e.insert)
	if !changed && e.Count > 0 {
		return []mongo.PageRef{e.PageRef}, nil
	}
	if e.Count > 0 {
		w.old = append(w.old, e.ID)
	}
	for _, p := range next.Split() {
		added, err := w.add(ctx, p)
		if err != nil {
			return nil, err
		}
		refs = append(refs, added)
	}
	return refs, nil
}
