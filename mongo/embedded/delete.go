package embedded

import (
	"time"
)

// remove runs delete: each statement deletes the first or every document that passes its filter.
func remove(c *command) error { return c.writeStatements("deletes", false, c.removeOne) }

func (c *command) removeOne(w *writer, namespace string, _ int, statement raw, report *writeReport) error {
	q := query{namespace: namespace}
	var filter raw
	for name, v := range statement.all() {
		switch name {
		case "q":
			if !v.isDoc() {
				return c.mismatch("deletes.q", v, "object")
			}
			filter = v.doc()
		case "limit":
			n, ok := v.integer()
			if !ok || n < 0 || n > 1 {
				return errorf(codeFailedToParse, "The limit field in delete objects must be 0 or 1. Got %s", show(v))
			}
			q.limit = n
		case "hint":
			q.hint = v
		case "collation":
			return errorf(codeBadValue, "option 'collation' of delete is not supported")
		default:
			return unknownField("delete.deletes", name)
		}
	}
	if filter == nil {
		return errorf(40414, "BSON field 'delete.deletes.q' is missing but a required field")
	}
	var err error
	if q.filter, err = parseFilter(filter); err != nil {
		return err
	}
	found, err := c.s.find(w, q, c.deadline)
	if err != nil {
		return err
	}
	coll := w.cat.collections[namespace]
	for _, number := range found {
		if err := w.remove(coll, number, w.record(coll, number)); err != nil {
			return err
		}
		report.n++
	}
	return nil
}

// find returns the numbers of the records that match a query, before any of them changes.
func (s *Server) find(w *writer, q query, deadline time.Time) ([]uint64, error) {
	p, err := q.plan(w.snapshot())
	if p == nil || err != nil {
		return nil, err
	}
	sc := s.newScan(p, w.snapshot(), deadline)
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
func (w *writer) record(c *collection, number uint64) raw {
	return raw(w.tx.Bucket(bucketName('d', c.id)).Get(recordKey(number)))
}
