package embedded

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
func (c *command) match(w target, st *statement) (found []uint64, err error) {
	p := st.plan(w.snapshot())
	if p == nil {
		return nil, nil
	}
	sc := c.s.newScan(p, w.snapshot(), c.deadline)
	defer sc.report()
	for st.multi || len(found) == 0 {
		d, err := sc.next()
		if d == nil || err != nil {
			return found, err
		}
		found = append(found, sc.number)
	}
	return found, nil
}

// record reads a record that exists.
func (snap snapshot) record(c *collection, number uint64) raw {
	if o := snap.own[c.namespace]; o != nil && o.records[number] != nil {
		return o.records[number].after
	}
	return raw(snap.tx.Bucket(bucketName('d', c.id)).Get(recordKey(number)))
}
