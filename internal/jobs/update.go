package jobs

import (
	"slices"
	"sort"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// pagesAtOnce bounds the pages in memory: some megabytes.
const pagesAtOnce = 400

// wanted is an entry that a board is to have, and where its position goes.
type wanted struct {
	key      leaderboard.Key
	position *int
}

// update takes entries off a board and puts others on it, tells their positions, and prepares
// the pages that change; settle writes them. Applied again it changes nothing.
func (r *run) update(d *mongo.Directory, drop []leaderboard.Key, want []wanted) error {
	slices.SortFunc(drop, leaderboard.Key.Compare)
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
	if e.changed {
		r.swaps = append(r.swaps, &mongo.Directory{Board: d.Board, RefreshedAt: &r.now, Count: e.count, Pages: e.refs})
	}
	if len(r.old) < pagesAtOnce {
		return nil
	}
	return r.settle()
}

// settle writes what updates prepared: the new pages, then the directories that name them,
// then it deletes what they replaced. Boards share these writes, for each waits for the disk.
func (r *run) settle() error {
	if err := r.flush(); err != nil {
		return err
	}
	if err := r.store.SwapDirectories(r.ctx, r.swaps, r.lease.Epoch); err != nil {
		return err
	}
	for _, d := range r.swaps {
		r.dirs[d.Board] = d
	}
	if err := r.store.DeleteBoardPages(r.ctx, r.old); err != nil {
		return err
	}
	r.swaps, r.old = nil, nil
	return nil
}

// edit is an update on its way through the pages of a board.
type edit struct {
	*run
	board   string
	drop    []leaderboard.Key
	want    []wanted
	refs    []mongo.PageRef
	count   int // entries before the next page
	changed bool
}

// pages goes through some pages of the directory; the last page of the board takes whatever
// comes behind it.
func (e *edit) pages(refs []mongo.PageRef, last bool) error {
	type part struct {
		drop []leaderboard.Key
		want []wanted
	}
	parts := make([]part, len(refs))
	var ids []int64
	for i, ref := range refs {
		nd, nw := len(e.drop), len(e.want)
		if !last || i < len(refs)-1 {
			nd = sort.Search(nd, func(n int) bool { return leaderboard.Key(ref.Last).Compare(e.drop[n]) < 0 })
			nw = sort.Search(nw, func(n int) bool { return leaderboard.Key(ref.Last).Compare(e.want[n].key) < 0 })
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
		var page leaderboard.Page
		if len(parts[i].drop)+len(parts[i].want) == 0 {
			if ref.Count > 0 {
				e.refs = append(e.refs, ref)
				e.count += ref.Count
			}
			continue
		}
		if ref.Count > 0 {
			if page, err = leaderboard.ParsePage(read[0]); err != nil || page.Len() != ref.Count {
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

func (e *edit) apply(ref mongo.PageRef, page leaderboard.Page, drop []leaderboard.Key, want []wanted) error {
	keys := make([]leaderboard.Key, len(want))
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
		e.run.old = append(e.run.old, ref.ID)
	}
	for _, p := range next.Split() {
		e.refs = append(e.refs, e.add(p))
	}
	if len(e.fresh) < pagesAtOnce {
		return nil
	}
	return e.flush()
}

// add gives a page a name of its own and puts it among those to write.
func (r *run) add(p leaderboard.Page) mongo.PageRef {
	r.page++
	ref := mongo.PageRef{ID: mongo.PageID(r.lease.Epoch, r.page), Count: p.Len(), Last: p.Last()}
	r.fresh = append(r.fresh, &mongo.BoardPage{ID: ref.ID, Entries: p})
	return ref
}

// flush writes new pages, which nothing names yet.
func (r *run) flush() error {
	if err := r.store.InsertBoardPages(r.ctx, r.fresh); err != nil {
		return err
	}
	r.report.Pages += len(r.fresh)
	r.fresh = nil
	return nil
}
