package jobs

import (
	"slices"
	"sort"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// maxPages bounds the pages in memory to some megabytes.
const maxPages = 400

// update removes entries from a board and inserts others, and prepares the pages that change; commit
// writes them. It is idempotent.
func (r *run) update(d *mongo.Directory, drop, insert []leaderboard.Key) error {
	slices.SortFunc(drop, leaderboard.Key.Compare)
	slices.SortFunc(insert, leaderboard.Key.Compare)
	e := boardEdit{run: r, board: d.Board, drop: drop, insert: insert, refs: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	pages := d.Pages
	if len(pages) == 0 {
		pages = []mongo.PageRef{{}}
	}
	for len(pages) > 0 {
		n := min(maxPages, len(pages))
		if err := e.pages(pages[:n], n == len(pages)); err != nil {
			return err
		}
		pages = pages[n:]
	}
	if e.edited {
		refreshed := &r.now
		if r.ended(d.Board) {
			refreshed = d.RefreshedAt // unchanged: touch makes the board final once all guilds are done
		}
		r.newDirectories = append(r.newDirectories,
			&mongo.Directory{Board: d.Board, RefreshedAt: refreshed, Count: e.count, Pages: e.refs})
	}
	if len(r.oldPages) < maxPages {
		return nil
	}
	return r.commit()
}

// commit writes what update prepared: the new pages, then the directories that name them, which it
// announces to readers that cache them. Then it deletes the replaced pages. Boards share
// these writes, because each waits for the disk.
func (r *run) commit() error {
	if err := r.flush(); err != nil {
		return err
	}
	if err := r.store.Boards.SwapDirectories(r.ctx, r.newDirectories, r.epoch); err != nil {
		return err
	}
	if len(r.newDirectories) > 0 {
		if err := r.store.Boards.Announce(r.ctx); err != nil {
			return err
		}
	}
	for _, d := range r.newDirectories {
		r.dirs[d.Board], r.changed[d.Board] = d, true
	}
	if err := r.store.Boards.DeletePages(r.ctx, r.oldPages); err != nil {
		return err
	}
	r.newDirectories, r.oldPages = nil, nil
	return nil
}

// boardEdit updates a board page by page.
type boardEdit struct {
	*run
	board  string
	drop   []leaderboard.Key
	insert []leaderboard.Key
	refs   []mongo.PageRef
	count  int // entries before the next page
	edited bool
}

// pages updates some pages of the directory. The last page of the board takes all entries after it.
func (e *boardEdit) pages(refs []mongo.PageRef, last bool) error {
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
	read, err := e.store.Boards.Pages(e.ctx, ids)
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
		if err := e.apply(ref, page, parts[i].drop, parts[i].want); err != nil {
			return err
		}
	}
	return nil
}

func (e *boardEdit) apply(ref mongo.PageRef, page leaderboard.Page, drop, want []leaderboard.Key) error {
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
		e.oldPages = append(e.oldPages, ref.ID)
	}
	for _, p := range next.Split() {
		e.refs = append(e.refs, e.addPage(p))
	}
	if len(e.newPages) < maxPages {
		return nil
	}
	return e.flush()
}

// addPage assigns an id to a page and queues it for writing.
func (r *run) addPage(p leaderboard.Page) mongo.PageRef {
	r.pageCount++
	ref := mongo.PageRef{ID: mongo.PageID(r.epoch, r.pageCount), Count: p.Len(), Last: p.Last()}
	r.newPages = append(r.newPages, &mongo.BoardPage{ID: ref.ID, Entries: p})
	return ref
}

// flush writes the queued pages; no directory names them yet.
func (r *run) flush() error {
	if err := r.store.Boards.InsertPages(r.ctx, r.newPages); err != nil {
		return err
	}
	r.report.Pages += len(r.newPages)
	r.newPages = nil
	return nil
}
