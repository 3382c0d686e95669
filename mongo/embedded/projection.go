package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

// projection selects the fields of a document to return.
type projection struct {
	exclude bool // leaves the named fields out; otherwise only they are shown
	hideID  bool
	fields  projectionTree
}

// projectionTree holds the named fields; a nil subtree is a whole field.
type projectionTree map[string]projectionTree

// parseProjection reads the projection of find; nil when everything is shown.
func parseProjection(d raw) (*projection, error) {
	if d.empty() {
		return nil, nil
	}
	p := &projection{fields: projectionTree{}}
	decided := false
	for name, v := range d.all() {
		if err := checkPath(name); err != nil {
			return nil, err
		}
		if !v.isNumber() && v.kind != bson.TypeBoolean {
			return nil, errorf(codeBadValue, "projection of '%s' must be 0, 1, true or false", name)
		}
		if err := p.name(name, v.truthy(), &decided); err != nil {
			return nil, err
		}
	}
	if !decided { // only _id was named
		p.exclude = p.hideID
	}
	return p, nil
}

// name adds one field. The first field other than _id decides between including and excluding.
func (p *projection) name(name string, show bool, decided *bool) error {
	if name == "_id" {
		p.hideID = !show
		return nil
	}
	if *decided && p.exclude == show {
		if show {
			return errorf(31253, "Cannot do inclusion on field %s in exclusion projection", name)
		}
		return errorf(31254, "Cannot do exclusion on field %s in inclusion projection", name)
	}
	*decided, p.exclude = true, !show
	return p.fields.add(parsePath(name))
}

func (t projectionTree) add(p path) error {
	sub, named := t[p[0]]
	switch {
	case named && (len(p) == 1 || sub == nil):
		return errorf(31249, "Path collision at %s", p)
	case len(p) == 1:
		t[p[0]] = nil
		return nil
	case !named:
		sub = projectionTree{}
		t[p[0]] = sub
	}
	return sub.add(p[1:])
}

func (p *projection) apply(dst []byte, d raw) []byte {
	dst, at := openDoc(dst)
	for name, v := range d.fields() {
		if string(name) == "_id" {
			if !p.hideID {
				dst = appendElement(dst, name, v)
			}
			continue
		}
		dst = p.field(dst, name, v, p.fields)
	}
	return closeDoc(dst, at)
}

func (p *projection) field(dst, name []byte, v value, tree projectionTree) []byte {
	sub, named := tree[string(name)]
	switch {
	case !named && p.exclude, named && sub == nil && !p.exclude:
		return appendElement(dst, name, v)
	case !named || sub == nil:
		return dst
	}
	switch v.kind {
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		dst = append(append(append(dst, byte(v.kind)), name...), 0)
		return p.nested(dst, v, sub)
	}
	if p.exclude {
		return appendElement(dst, name, v)
	}
	return dst
}

// nested projects a document, or every document in an array; other elements of an array are left out when fields
// inside are included.
func (p *projection) nested(dst []byte, v value, tree projectionTree) []byte {
	dst, at := openDoc(dst)
	n := 0
	for name, e := range v.doc().fields() {
		if v.kind == bson.TypeEmbeddedDocument {
			dst = p.field(dst, name, e, tree)
			continue
		}
		switch {
		case e.kind == bson.TypeEmbeddedDocument || e.kind == bson.TypeArray:
			dst = p.nested(appendName(dst, e.kind, itoa(n)), e, tree)
		case p.exclude:
			dst = appendValue(dst, itoa(n), e)
		default:
			continue
		}
		n++
	}
	return closeDoc(dst, at)
}

func checkPath(name string) error {
	if name == "" {
		return errorf(40352, "FieldPath cannot be constructed with empty string")
	}
	for _, part := range parsePath(name) {
		switch {
		case part == "":
			return errorf(15998, "FieldPath field names may not be empty strings: '%s'", name)
		case part[0] == '$':
			return errorf(16410, "FieldPath field names may not start with '$': '%s'", name)
		}
	}
	return nil
}
