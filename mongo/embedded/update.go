package embedded

import (
	"bytes"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// update runs update: each statement changes the first or every document that passes its filter, and may insert
// one when there is none.
func update(c *command) error { return c.writeStatements("updates", true, c.updateOne) }

func (c *command) updateOne(w *writer, namespace string, at int, statement raw, report *writeReport) error {
	q := query{namespace: namespace, limit: 1}
	var filter raw
	var m *modification
	var err error
	upsert, multi := false, false
	for name, v := range statement.all() {
		switch name {
		case "q":
			if !v.isDoc() {
				return c.mismatch("updates.q", v, "object")
			}
			filter = v.doc()
		case "u":
			if m, err = parseModification(v); err != nil {
				return err
			}
		case "upsert":
			upsert = v.truthy()
		case "multi":
			multi = v.truthy()
		case "hint":
			q.hint = v
		case "sort":
			if !v.isDoc() {
				return c.mismatch("updates.sort", v, "object")
			}
			if q.sort, err = parseSort(v.doc()); err != nil {
				return err
			}
		case "arrayFilters", "collation", "c":
			return errorf(codeBadValue, "option '%s' of update is not supported", name)
		default:
			return unknownField("update.updates", name)
		}
	}
	switch {
	case filter == nil:
		return errorf(40414, "BSON field 'update.updates.q' is missing but a required field")
	case m == nil:
		return errorf(40414, "BSON field 'update.updates.u' is missing but a required field")
	case multi && m.replacement != nil:
		return errorf(codeFailedToParse, "multi update is not supported for replacement-style update")
	case multi:
		q.limit = 0
	}
	if q.filter, err = parseFilter(filter); err != nil {
		return err
	}
	found, err := c.s.find(w, q, c.deadline)
	if err != nil {
		return err
	}
	for _, number := range found {
		if err := c.expired(); err != nil {
			return err
		}
		_, _, changed, err := w.modify(namespace, number, m)
		if err != nil {
			return err
		}
		report.n++
		if changed {
			report.modified++
		}
	}
	if len(found) == 0 && upsert {
		d, err := w.upsert(namespace, filter, m)
		if err != nil {
			return err
		}
		report.n++
		report.upserted = append(report.upserted, upsertedID{at, d.lookup("_id")})
	}
	return nil
}

// modify changes one record and returns it before and after.
func (w *writer) modify(namespace string, number uint64, m *modification) (before, after raw, changed bool, err error) {
	c := w.cat.collections[namespace]
	before = w.record(c, number)
	if after, err = m.apply(before, false); err != nil {
		return nil, nil, false, err
	}
	if bytes.Equal(before, after) {
		return before, before, false, nil
	}
	if err := checkStored(after); err != nil {
		return nil, nil, false, err
	}
	_, err = w.replace(c, number, before, after)
	return before, after, true, err
}

// upsert inserts the document that a filter's equalities and an update make together.
func (w *writer) upsert(namespace string, filter raw, m *modification) (raw, error) {
	seed := newNode(docValue(emptyDoc))
	seed.open()
	if m.replacement != nil {
		if id := equalityOn(filter, "_id"); id.kind != 0 {
			seed.fields = append(seed.fields, member{"_id", newNode(id)})
		}
	} else if err := seedFrom(seed, filter); err != nil {
		return nil, err
	}
	d, err := m.apply(seed.append(nil), true)
	if err != nil {
		return nil, err
	}
	c, err := w.collection(namespace)
	if err != nil {
		return nil, err
	}
	in := c.prepare(d)
	l := newLoader(w, c)
	if err := l.add(&in); err != nil {
		return nil, err
	}
	return in.doc, l.flush()
}

// seedFrom adds the values that the filter requires a new document to equal.
func seedFrom(seed *node, filter raw) error {
	for name, v := range filter.all() {
		if name == "$and" || name == "$or" {
			branches := v.doc().elements()
			_, first, _ := branches.next()
			_, _, more := branches.next()
			if name == "$or" && (more || !first.isDoc()) {
				continue
			}
			for _, part := range v.doc().all() {
				if err := seedFrom(seed, part.doc()); err != nil {
					return err
				}
			}
			continue
		}
		if name == "" || name[0] == '$' {
			continue
		}
		if v = equalTo(v); v.kind == 0 {
			continue
		}
		if err := checkUpdatePath(name); err != nil {
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

// equalTo is the value that a condition holds a field to; missing when it leaves a choice.
func equalTo(v value) value {
	if v.kind == bson.TypeRegex {
		return missing
	}
	if !isOperators(v) {
		return v
	}
	if eq := v.doc().lookup("$eq"); eq.kind != 0 {
		return eq
	}
	for _, name := range []string{"$in", "$all"} {
		list := v.doc().lookup(name)
		if list.kind != bson.TypeArray {
			continue
		}
		it := list.doc().elements()
		_, first, ok := it.next()
		if _, _, more := it.next(); ok && !more && first.kind != bson.TypeRegex && !isOperators(first) {
			return first
		}
	}
	return missing
}

// equalityOn finds what a filter holds a field to, also inside $and.
func equalityOn(filter raw, field string) value {
	for name, v := range filter.all() {
		if name == field {
			return equalTo(v)
		}
		if name == "$and" {
			for _, part := range v.doc().all() {
				if found := equalityOn(part.doc(), field); found.kind != 0 {
					return found
				}
			}
		}
	}
	return missing
}
