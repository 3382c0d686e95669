package jobs

import (
	"slices"
	"sort"

	"gamedata/boards"
	"gamedata/mongo"
)

// pagesAtOnce bounds the pages in memory: some megabytes.
const pagesAtOnce = 400

// wanted is an entry that a board is to have, and where its position goes.
type wanted struct {
	key      boards.Key
	position *int
}

// update takes entries off a board and puts others on it, tells their positions, and writes
// only the pages that change: new ones first, then the directory, then it deletes what was
// replaced. Applied again it changes nothing.
func (r *run) update(d *mongo.Directory, drop []boards.Key, want []wanted) error {
	slices.SortFunc(drop, boards.Key.Compare)
	slices.SortFunc(want, func(a, b wanted) int { return a.key.Compare(b.key) })
	e := edit{run: r, board: d.Board, drop: drop, want: want, refs: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	pages := d.Pages
	if len(pages) == 0 {
		pages = []mongo.PageRef{{}}
	}
	for len(pages) > 0 {
		n := min(pagesAtOnce, len(pages))
		if err := e.pages(pages[:n], n == len(pages)); err != nil {
			return err
		}
		pages = pages[n:]
	}
	if len(e.old) == 0 && !e.changed {
		return nil
	}
	if err := r.flush(&e.fresh); err != nil {
		return err
	}
	if err := r.swap(&mongo.Directory{Board: d.Board, Count: e.count, Pages: e.refs}); err != nil {
		return err
	}
	return r.store.DeleteBoardPages(r.ctx, e.old)
}

// swap makes a directory the board's.
func (r *run) swap(d *mongo.Directory) error {
	d.RefreshedAt = &r.now
	if err := r.store.SwapDirectory(r.ctx, d, r.lease.Epoch); err != nil {
		return err
	}
	r.dirs[d.Board] = d
	return nil
}

// edit is an update on its way through the pages of a board.
type edit struct {
	*run
	board   string
	drop    []boards.Key
	want    []wanted
	refs    []mongo.PageRef
	fresh   []*mongo.BoardPage // not written yet
	old     []int64            // pages replaced
	count   int                // entries before the next page
	changed bool
}

// pages goes through some pages of the directory; the last page of the board takes whatever
// comes behind it.
func (e *edit) pages(refs []mongo.PageRef, last bool) error {
	type part struct {
		drop []boards.Key
		want []wanted
	}
	parts := make([]part, len(refs))
	var ids []int64
	for i, ref := range refs {
		nd, nw := len(e.drop), len(e.want)
		if !last || i < len(refs)-1 {
			nd = sort.Search(nd, func(n int) bool { return boards.Key(ref.Last).Compare(e.drop[n]) < 0 })
			nw = sort.Search(nw, func(n int) bool { return boards.Key(ref.Last).Compare(e.want[n].key) < 0 })
		}
		parts[i] = part{e.drop[:nd], e.want[:nw]}
		e.drop, e.want = e.drop[nd:], e.want[nw:]
		if nd+nw > 0 && ref.Count > 0 {
			ids = append(ids, ref.ID)
		}
	}
	read, err := e.store.BoardPages(e.ctx, ids)
	if err != nil {
		return err
	}
	for i, ref := range refs {
		var page boards.Page
		if len(parts[i].drop)+len(parts[i].want) == 0 {
			if ref.Count > 0 {
				e.refs = append(e.refs, ref)
				e.count += ref.Count
			}
			continue
		}
		if ref.Count > 0 {
			if page, err = boards.ParsePage(read[0]); err != nil || page.Len() != ref.Count {
				return errDamaged
			}
			read = read[1:]
		}
		if err := e.apply(ref, page, parts[i].drop, parts[i].want); err != nil {
			return err
		}
	}
	return nil
}

func (e *edit) apply(ref mongo.PageRef, page boards.Page, drop []boards.Key, want []wanted) error {
	keys := make([]boards.Key, len(want))
	for i, w := range want {
		keys[i] = w.key
	}
	next := page.Apply(drop, keys)
	for _, w := range want {
		at, _ := next.Find(w.key)
		*w.position = e.count + at + 1
	}
	e.count += next.Len()
	if next.Len() == page.Len() && (next.Len() == 0 || &next[0] == &page[0]) {
		if ref.Count > 0 {
			e.refs = append(e.refs, ref)
		}
		return nil
	}
	e.changed = true
	if ref.Count > 0 {
		e.old = append(e.old, ref.ID)
	}
	for _, p := range next.Split() {
		e.refs = append(e.refs, e.add(&e.fresh, p))
	}
	if len(e.fresh) < pagesAtOnce {
		return nil
	}
	return e.flush(&e.fresh)
}

// add gives a page a name of its own and puts it among those to write.
func (r *run) add(fresh *[]*mongo.BoardPage, p boards.Page) mongo.PageRef {
	r.page++
	ref := mongo.PageRef{ID: mongo.PageID(r.lease.Epoch, r.page), Count: p.Len(), Last: p.Last()}
	*fresh = append(*fresh, &mongo.BoardPage{ID: ref.ID, Entries: p})
	return ref
}

// flush writes pages.
func (r *run) flush(fresh *[]*mongo.BoardPage) error {
	if err := r.store.InsertBoardPages(r.ctx, *fresh); err != nil {
		return err
	}
	r.report.Pages += len(*fresh)
	clear(*fresh)
	*fresh = (*fresh)[:0]
	return nil
}
