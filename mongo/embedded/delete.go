package embedded

import (
	"time"
)

// remove runs delete: each statement deletes the first or every document that passes its filter.
func remove(c *command) error { return c.writeStatements("deletes", c.removeOne) }

func (c *command) removeOne(w target, st *statement, _ int, report *writeReport) error {
	found, err := c.match(w, st)
	if err != nil {
		return err
	}
	snap := w.snapshot()
	coll := snap.cat.collections[st.namespace]
	for _, number := range found {
		if err := w.replace(coll, number, snap.record(coll, number), nil); err != nil {
			return err
		}
		report.n++
	}
	return nil
}

// match returns the numbers of the records that a statement changes, before any of them changes.
func (c *command) match(w target, st *statement) ([]uint64, error) {
	q := st.query
	if !st.multi {
		q.limit = 1
	}
	return c.s.find(w.snapshot(), q, c.deadline)
}

// find returns the numbers of the records that match a query, before any of them changes.
func (s *Server) find(snap snapshot, q query, deadline time.Time) ([]uint64, error) {
	p := q.plan(snap)
	if p == nil {
		return nil, nil
	}
	sc := s.newScan(p, snap, deadline)
	defer sc.report()
	if !p.sorted {
		return sc.firstSorted(q.sort)
	}
	var found []uint64
	for q.limit == 0 || int64(len(found)) < q.limit {
		d, err := sc.next()
		if err != nil {
			return nil, err
		}
		if d == nil {
			break
		}
		found = append(found, sc.number)
	}
	return found, nil
}

// firstSorted finds the first record in an order.
func (sc *scan) firstSorted(fields []sortField) ([]uint64, error) {
	var best sortKey
	var found []uint64
	for turn := 0; ; turn++ {
		d, err := sc.next()
		if d == nil || err != nil {
			return found, err
		}
		k := sortKey{key: appendSortKey(nil, d, fields), turn: turn}
		if found == nil || k.compare(best) < 0 {
			best, found = k, []uint64{sc.number}
		}
	}
}

// record reads a record that exists.
func (snap snapshot) record(c *collection, number uint64) raw {
	if o := snap.own[c.namespace]; o != nil && o.records[number] != nil {
		return o.records[number].after
	}
	return raw(snap.tx.Bucket(bucketName('d', c.id)).Get(recordKey(number)))
}
