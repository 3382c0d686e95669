package embedded

import (
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// path is a dotted field name in its parts.
type path []string

func parsePath(name string) path { return strings.Split(name, ".") }

// checkPath rejects names of fields that only filters may have.
func checkPath(name string) error {
	for _, part := range parsePath(name) {
		switch {
		case part == "":
			return errorf(codeEmptyFieldName, "The path '%s' contains an empty field name, which is not allowed.", name)
		case part[0] == '$':
			return errorf(codeDollarPrefixed, "The dollar ($) prefixed field '%s' in '%s' is not allowed.", part, name)
		}
	}
	return nil
}

func (p path) String() string { return strings.Join(p, ".") }

// position reads a part of a path as a position in an array.
func position(part string) (int, bool) {
	if part == "" || len(part) > 9 || (part[0] == '0' && len(part) > 1) {
		return 0, false
	}
	for i := range len(part) {
		if part[i] < '0' || part[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(part)
	return n, err == nil
}

type tester interface{ test(v value) bool }

// anyAt reports whether some value of the path passes. It enters arrays on the way: a part may name a position, or a
// field of each document in the array. With expand it tests the elements of an array at the end before the array
// itself. A path that leads nowhere has the value missing, once for each document it fails in.
func anyAt(d raw, p path, t tester, expand bool) bool { return anyIn(d.lookup(p[0]), p[1:], t, expand) }

func anyIn(v value, rest path, t tester, expand bool) bool {
	if len(rest) == 0 {
		if expand && v.kind == bson.TypeArray {
			for _, e := range v.doc().fields() {
				if t.test(e) {
					return true
				}
			}
		}
		return t.test(v)
	}
	switch v.kind {
	case bson.TypeEmbeddedDocument:
		return anyAt(v.doc(), rest, t, expand)
	case bson.TypeArray:
		return anyInArray(v.doc(), rest, t, expand)
	}
	return t.test(missing)
}

func anyInArray(list raw, rest path, t tester, expand bool) bool {
	wanted, numeric := position(rest[0])
	it := list.elements()
	for i := 0; ; i++ {
		_, e, ok := it.next()
		if !ok {
			return false
		}
		if e.kind == bson.TypeEmbeddedDocument && (!numeric || e.doc().lookup(rest[0]).kind != 0) &&
			anyAt(e.doc(), rest, t, expand) {
			return true
		}
		if !numeric || i != wanted {
			continue
		}
		if len(rest) == 1 {
			if t.test(e) {
				return true
			}
		} else if anyIn(e, rest[1:], t, expand) {
			return true
		}
	}
}
