package embedded

import "strconv"

// projection names the fields of a document to return; a nil subtree is a whole field.
type projection map[string]projection

// parseProjection reads the projection of find; nil when everything is shown. The _id is always shown.
func parseProjection(d raw) (projection, error) {
	if d.empty() {
		return nil, nil
	}
	p := projection{}
	for name, v := range d.all() {
		if err := checkPath(name); err != nil {
			return nil, err
		}
		if !v.truthy() {
			return nil, errorf(codeBadValue, "projection of '%s' must be 1 or true: no field can be left out", name)
		}
		if err := p.add(parsePath(name)); err != nil {
			return nil, err
		}
	}
	p["_id"] = nil
	return p, nil
}

func (p projection) add(names path) error {
	sub, named := p[names[0]]
	switch {
	case named && (len(names) == 1 || sub == nil):
		return errorf(31249, "Path collision at %s", names)
	case len(names) == 1:
		p[names[0]] = nil
		return nil
	case !named:
		sub = projection{}
		p[names[0]] = sub
	}
	return sub.add(names[1:])
}

func (p projection) apply(dst []byte, d raw) []byte {
	dst, at := openDoc(dst)
	for name, v := range d.fields() {
		switch sub, named := p[string(name)]; {
		case named && sub == nil:
			dst = appendValue(dst, name, v)
		case named && v.isNested():
			dst = sub.nested(appendName(dst, v.kind, name), v)
		}
	}
	return closeDoc(dst, at)
}

// nested projects a document, or every document in an array; other elements of an array are left out.
func (p projection) nested(dst []byte, v value) []byte {
	if v.isDoc() {
		return p.apply(dst, v.doc())
	}
	dst, at := openDoc(dst)
	n := 0
	for _, e := range v.doc().fields() {
		if e.isNested() {
			dst = p.nested(appendName(dst, e.kind, strconv.Itoa(n)), e)
			n++
		}
	}
	return closeDoc(dst, at)
}
