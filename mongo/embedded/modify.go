package embedded

import (
	"bytes"
	"cmp"
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
				typeName(args.kind), name, show(args))
		}
		for field, arg := range args.doc().all() {
			if err := checkUpdatePath(field); err != nil {
				return nil, err
			}
			apply, err := parse(field, arg)
			if err != nil {
				return nil, err
			}
			m.steps = append(m.steps, step{parsePath(field), name == "$setOnInsert", apply})
		}
	}
	slices.SortStableFunc(m.steps, func(a, b step) int { return slices.CompareFunc(a.path, b.path, comparePart) })
	for i := 1; i < len(m.steps); i++ {
		a, b := m.steps[i-1].path, m.steps[i].path
		if len(a) <= len(b) && slices.Equal(a, b[:len(a)]) {
			return nil, errorf(codeConflictingUpdate, "Updating the path '%s' would create a conflict at '%s'", b, a)
		}
	}
	return m, nil
}

// comparePart orders new fields as MongoDB adds them: positions by number, names by bytes.
func comparePart(a, b string) int {
	x, numeric := position(a)
	if y, too := position(b); numeric && too {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

func checkUpdatePath(field string) error {
	if field == "" {
		return errorf(codeEmptyFieldName, "An empty update path is not valid.")
	}
	for _, part := range parsePath(field) {
		if part == "" {
			return errorf(codeEmptyFieldName, "The update path '%s' contains an empty field name, which is not allowed.", field)
		}
		if part[0] == '$' {
			if part == "$" || strings.HasPrefix(part, "$[") {
				return errorf(codeBadValue, "positional updates are not supported: '%s'", field)
			}
			return errorf(codeDollarPrefixed,
				"The dollar ($) prefixed field '%s' in '%s' is not allowed in the context of an update", part, field)
		}
	}
	return nil
}

// apply returns the new version of a document.
func (m *modification) apply(d raw, inserting bool) (raw, error) {
	var after raw
	if m.replacement != nil {
		after = m.replace(d.lookup("_id"))
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
	if before := d.lookup("_id"); before.kind != 0 {
		if now := after.lookup("_id"); now.kind != before.kind || !bytes.Equal(now.data, before.data) {
			if compareValues(now, before) != 0 || now.kind == 0 {
				return nil, errorf(codeImmutableField,
					"Performing an update on the path '_id' would modify the immutable field '_id'")
			}
		}
	}
	if len(after) > maxDocument {
		return nil, errorf(codeDocumentTooLarge, "Resulting document after update is larger than %d", maxDocument)
	}
	if len(after) > len(d) && m.replacement == nil {
		if err := validateDoc(after, 1); err != nil { // operators may have nested it too deeply
			return nil, err
		}
	}
	return after, nil
}

// replace returns the replacement, preceded by the _id of the replaced document.
func (m *modification) replace(id value) raw {
	first := m.replacement.elements()
	name, v, _ := first.next()
	if id.kind == 0 || string(name) == "_id" && v.kind != 0 {
		return m.replacement
	}
	if own := m.replacement.lookup("_id"); own.kind != 0 {
		id = own
	}
	return document(func(dst []byte) []byte {
		dst = appendValue(dst, "_id", id)
		for name, v := range m.replacement.all() {
			if name != "_id" {
				dst = appendValue(dst, name, v)
			}
		}
		return dst
	})
}
