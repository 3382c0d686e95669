package embedded

import "bytes"

// update runs update: each statement changes the first or every document that passes its filter, and may insert one
// when none passes.
func update(c *command) error { return c.writeStatements("updates", c.updateOne) }

func (c *command) updateOne(w target, st *statement, at int, report *writeReport) error {
	if st.multi && st.change.replacement != nil {
		return errorf(codeFailedToParse, "multi update is not supported for replacement-style update")
	}
	found, err := c.match(w, st)
	if err != nil {
		return err
	}
	for _, number := range found {
		if err := c.expired(); err != nil {
			return err
		}
		_, _, changed, err := modify(w, st.namespace, number, st.change)
		if err != nil {
			return err
		}
		report.n++
		if changed {
			report.modified++
		}
	}
	if len(found) == 0 && st.upsert {
		d, err := upsert(w, st)
		if err != nil {
			return err
		}
		report.n++
		report.upserted = append(report.upserted, upsertedID{at, d.lookup("_id")})
	}
	return nil
}

// modify changes one record and returns it before and after.
func modify(w target, namespace string, number uint64, m *modification) (before, after raw, changed bool, err error) {
	snap := w.snapshot()
	c := snap.cat.collections[namespace]
	before = snap.record(c, number)
	if after, err = m.apply(before, false); err != nil {
		return nil, nil, false, err
	}
	if bytes.Equal(before, after) {
		return before, before, false, nil
	}
	if err := checkStored(after); err != nil {
		return nil, nil, false, err
	}
	return before, after, true, w.replace(c, number, before, after)
}

// upsert inserts the document that results from a filter's equalities and an update.
func upsert(w target, st *statement) (raw, error) {
	filter, m := st.condition, st.change
	seed := newNode(docValue(emptyDoc))
	seed.open()
	if m.replacement != nil {
		if id := filter.lookup("_id"); id.kind != 0 && !isOperators(id) {
			seed.fields = append(seed.fields, member{"_id", newNode(id)})
		}
	} else if err := seedFrom(seed, filter); err != nil {
		return nil, err
	}
	d, err := m.apply(seed.append(nil), true)
	if err != nil {
		return nil, err
	}
	return insertOne(w, st.namespace, d)
}

// seedFrom adds the values that the filter requires a new document to equal.
func seedFrom(seed *node, filter raw) error {
	for name, v := range filter.all() {
		if name == "$or" {
			return errorf(codeBadValue, "upserts with $or are not supported")
		}
		if isOperators(v) {
			continue
		}
		if err := checkPath(name); err != nil {
			return err
		}
		n, err := seed.reach(parsePath(name), true)
		if err != nil {
			return err
		}
		if n.typeOf() != 0 {
			return errorf(54, "cannot infer query fields to set, path '%s' is matched twice", name)
		}
		n.set(v)
	}
	return nil
}
