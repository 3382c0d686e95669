package embedded

import (
	"time"
)

// remove runs delete: each statement deletes the first or every document that passes its filter.
func remove(c *command) error {
	namespace, err := c.namespace()
	if err != nil {
		return err
	}
	statements, err := c.list("deletes")
	if err != nil {
		return err
	}
	if err := checkBatch(len(statements)); err != nil {
		return err
	}
	ordered := c.flag("ordered", true)
	var report writeReport
	err = c.s.update(len(c.body), func(w *writer) error {
		report = writeReport{}
		for i, statement := range statements {
			n, err := c.removeOne(w, namespace, statement)
			report.n += n
			if err == nil {
				continue
			}
			if !report.fail(i, err) {
				return err
			}
			if ordered {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	report.write(c)
	return nil
}

func (c *command) removeOne(w *writer, namespace string, statement raw) (int64, error) {
	q := query{namespace: namespace}
	var filter raw
	for name, v := range statement.all() {
		switch name {
		case "q":
			if !v.isDoc() {
				return 0, c.mismatch("deletes.q", v, "object")
			}
			filter = v.doc()
		case "limit":
			n, ok := v.integer()
			if !ok || n < 0 || n > 1 {
				return 0, errorf(codeFailedToParse, "The limit field in delete objects must be 0 or 1. Got %s", show(v))
			}
			q.limit = n
		case "hint":
			q.hint = v
		case "collation":
			return 0, errorf(codeBadValue, "option 'collation' of delete is not supported")
		default:
			return 0, unknownField("delete.deletes", name)
		}
	}
	if filter == nil {
		return 0, errorf(40414, "BSON field 'delete.deletes.q' is missing but a required field")
	}
	var err error
	if q.filter, err = parseFilter(filter); err != nil {
		return 0, err
	}
	found, err := c.s.find(w, q, c.deadline)
	if err != nil {
		return 0, err
	}
	coll := w.cat.collections[namespace]
	for i, number := range found {
		if err := w.remove(coll, number, w.record(coll, number)); err != nil {
			return int64(i), err
		}
	}
	return int64(len(found)), nil
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
