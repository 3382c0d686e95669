package embedded

import (
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// parseFilter compiles a filter. An unknown operator is an error.
func parseFilter(filter raw) (allOf, error) {
	all := allOf{}
	for name, v := range filter.all() {
		var part []matcher
		var err error
		switch {
		case name == "$or":
			part, err = parseOr(v)
		case strings.HasPrefix(name, "$"):
			err = errorf(codeBadValue, "unknown top level operator: %s", name)
		case isOperators(v):
			part, err = parseOperators(parsePath(name), v.doc())
		default:
			part = allOf{&fieldMatch{parsePath(name), &equals{v}}}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

func parseOr(v value) (allOf, error) {
	if v.kind != bson.TypeArray || v.doc().empty() {
		return nil, errorf(codeBadValue, "$or must be a nonempty array")
	}
	var branches anyOf
	for _, e := range v.doc().all() {
		if !e.isDoc() {
			return nil, errorf(codeBadValue, "$or entries need to be full objects")
		}
		branch, err := parseFilter(e.doc())
		if err != nil {
			return nil, err
		}
		branches = append(branches, branch)
	}
	return allOf{branches}, nil
}

// isOperators distinguishes {$gt: 5} from a document to compare with.
func isOperators(v value) bool {
	if !v.isDoc() {
		return false
	}
	it := v.doc().elements()
	name, _, ok := it.next()
	return ok && len(name) > 0 && name[0] == '$'
}

// parseOperators reads the conditions of a filter on the values at a path.
func parseOperators(p path, ops raw) (all allOf, err error) {
	for name, v := range ops.all() {
		var m matcher
		switch name {
		case "$ne":
			m = &negated{&fieldMatch{p, &equals{v}}}
		case "$gt", "$gte", "$lt", "$lte":
			m = &fieldMatch{p, &compares{v, name[1] == 'l', len(name) == 4}}
		case "$in":
			m, err = parseIn(p, v)
		case "$exists":
			m = &fieldMatch{p, exists{}}
			if !v.truthy() {
				m = &negated{m}
			}
		case "$not":
			if !isOperators(v) {
				return nil, errorf(codeBadValue, "$not needs a document of operators")
			}
			var inner allOf
			inner, err = parseOperators(p, v.doc())
			m = &negated{inner}
		default:
			err = errorf(codeBadValue, "unknown operator: %s", name)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func parseIn(p path, v value) (matcher, error) {
	if v.kind != bson.TypeArray {
		return nil, errorf(codeBadValue, "$in needs an array")
	}
	in := &oneOf{}
	for _, e := range v.doc().fields() {
		switch {
		case e.kind == bson.TypeNull:
			in.null = true
		case isOperators(e):
			return nil, errorf(codeBadValue, "cannot nest $ under $in")
		default:
			in.values = append(in.values, e)
		}
	}
	slices.SortFunc(in.values, compareValues)
	in.values = slices.CompactFunc(in.values, func(a, b value) bool { return compareValues(a, b) == 0 })
	return &fieldMatch{p, in}, nil
}
