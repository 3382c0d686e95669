package embedded

import (
	"slices"
	"strings"
)

// modification is a compiled update: a new document, or operators applied to the old one.
type modification struct {
	replacement raw // nil for operators
	steps       []step
}

type step struct {
	path       path
	insertOnly bool // $setOnInsert
	apply      applied
}

// parseModification reads an update. The first field shows whether it is a replacement.
func parseModification(v value) (*modification, error) {
	if !v.isDoc() {
		return nil, errorf(codeFailedToParse, "Update argument must be an object")
	}
	m := &modification{}
	if !isOperators(v) {
		for name := range v.doc().all() {
			if strings.HasPrefix(name, "$") {
				return nil, errorf(codeDollarPrefixed,
					"The dollar ($) prefixed field '%s' is not allowed in the context of an update's replacement document", name)
			}
		}
		m.replacement = v.doc()
		return m, nil
	}
	for name, args := range v.doc().all() {
		parse, known := operators[name]
		if !known {
			return nil, errorf(codeFailedToParse,
				"Unknown modifier: %s. Expected a valid update modifier", name)
		}
		if !args.isDoc() {
			return nil, errorf(codeFailedToParse,
				"Modifiers operate on fields but we found type %s instead. For example: {$mod: {<field>: ...}} not {%s: %s}",
				args.kind, name, show(args))
		}
		for field, arg := range args.doc().all() {
			if err := checkPath(field); err != nil {
				return nil, err
			}
			apply, err := parse(field, arg)
			if err != nil {
				return nil, err
			}
			m.steps = append(m.steps, step{parsePath(field), name == "$setOnInsert", apply})
		}
	}
	slices.SortStableFunc(m.steps, func(a, b step) int { return slices.Compare(a.path, b.path) })
	for i := 1; i < len(m.steps); i++ {
		a, b := m.steps[i-1].path, m.steps[i].path
		if len(a) <= len(b) && slices.Equal(a, b[:len(a)]) {
			return nil, errorf(codeConflictingUpdate, "Updating the path '%s' would create a conflict at '%s'", b, a)
		}
	}
	return m, nil
}

// apply returns the new version of a document.
func (m *modification) apply(d raw, inserting bool) (raw, error) {
	var after raw
	if m.replacement != nil {
		after = m.replacement.idFirst(d.lookup("_id"))
	} else {
		root := newNode(docValue(d))
		root.open()
		for _, s := range m.steps {
			if s.insertOnly && !inserting {
				continue
			}
			if err := s.apply(root, s.path); err != nil {
				return nil, err
			}
		}
		after = root.append(make([]byte, 0, len(d)+64))
	}
	before, now := d.lookup("_id"), after.lookup("_id")
	if before.kind != 0 && (now.kind == 0 || compareValues(now, before) != 0) {
		return nil, errorf(codeImmutableField,
			"Performing an update on the path '_id' would modify the immutable field '_id'")
	}
	if len(after) > len(d) && m.replacement == nil {
		if err := validateDoc(after, 1); err != nil { // operators may have nested it too deeply
			return nil, err
		}
	}
	return after, nil
}

// idFirst moves the _id of a document to its beginning. One without an _id gets another one, if there is one.
func (d raw) idFirst(other value) raw {
	id := d.lookup("_id")
	if id.kind == 0 {
		id = other
	}
	it := d.elements()
	if name, _, _ := it.next(); id.kind == 0 || string(name) == "_id" {
		return d
	}
	return document(func(dst []byte) []byte {
		dst = appendValue(dst, "_id", id)
		for name, v := range d.fields() {
			if string(name) != "_id" {
				dst = appendValue(dst, name, v)
			}
		}
		return dst
	})
}
