package jobs

import (
	"context"

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

// replace queues a directory whose pages are queued or written.
func (w *pageWriter) replace(ctx context.Context, d *mongo.Directory) error {
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
