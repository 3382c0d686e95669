package embedded

import (
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const maxFilterDepth = 100

// parseFilter compiles a filter. An unknown operator is an error.
func parseFilter(filter raw) (allOf, error) { return parseFilterAt(filter, 0) }

func parseFilterAt(filter raw, depth int) (allOf, error) {
	if depth > maxFilterDepth {
		return nil, errorf(codeBadValue, "filter nested deeper than %d levels", maxFilterDepth)
	}
	all := allOf{}
	for name, v := range filter.all() {
		var err error
		if strings.HasPrefix(name, "$") {
			all, err = parseLogical(all, name, v, depth)
		} else {
			all, err = parseField(all, parsePath(name), v, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func parseLogical(all allOf, name string, v value, depth int) (allOf, error) {
	switch name {
	case "$and", "$or", "$nor":
	case "$comment":
		return all, nil
	default:
		return nil, errorf(codeBadValue, "unknown top level operator: %s", name)
	}
	if v.kind != bson.TypeArray {
		return nil, errorf(codeBadValue, "%s must be an array", name)
	}
	var parts []matcher
	for _, e := range v.doc().all() {
		if e.kind != bson.TypeEmbeddedDocument {
			return nil, errorf(codeBadValue, "$or/$and/$nor entries need to be full objects")
		}
		part, err := parseFilterAt(e.doc(), depth+1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, errorf(codeBadValue, "$and/$or/$nor must be a nonempty array")
	}
	switch name {
	case "$or":
		return append(all, anyOf(parts)), nil
	case "$nor":
		return append(all, noneOf(parts)), nil
	}
	for _, part := range parts { // flat, so that the planner sees every condition
		all = append(all, part.(allOf)...)
	}
	return all, nil
}

// parseField reads what a filter says about one path: a value to equal, a pattern, or operators.
func parseField(all allOf, p path, v value, depth int) (allOf, error) {
	if v.kind == bson.TypeRegex {
		re, err := newPattern(v.regex())
		if err != nil {
			return nil, err
		}
		return append(all, &fieldMatch{p, re, true}), nil
	}
	if !isOperators(v) {
		return append(all, &fieldMatch{p, &equals{v}, true}), nil
	}
	return parseOperators(all, p, v.doc(), depth)
}

// isOperators distinguishes {$gt: 5} from a document to compare with.
func isOperators(v value) bool {
	if v.kind != bson.TypeEmbeddedDocument {
		return false
	}
	it := v.doc().elements()
	name, _, ok := it.next()
	return ok && len(name) > 0 && name[0] == '$'
}

func parseOperators(all allOf, p path, ops raw, depth int) (allOf, error) {
	for name, v := range ops.all() {
		if name == "$all" {
			tests, err := parseAll(v, depth)
			if err != nil {
				return nil, err
			}
			for _, t := range tests {
				all = append(all, &fieldMatch{p, t, expandsArray(t)})
			}
			if len(tests) == 0 {
				all = append(all, anyOf{})
			}
			continue
		} else if name == "$not" {
			inner, err := parseNot(p, v, depth)
			if err != nil {
				return nil, err
			}
			all = append(all, &negated{inner})
			continue
		}
		t, not, err := parseTest(name, v, ops, depth)
		switch {
		case err != nil:
			return nil, err
		case t == nil: // $options, read together with $regex
		case not:
			all = append(all, &negated{&fieldMatch{p, t, expandsArray(t)}})
		default:
			all = append(all, &fieldMatch{p, t, expandsArray(t)})
		}
	}
	return all, nil
}

func parseNot(p path, v value, depth int) (matcher, error) {
	if v.kind == bson.TypeRegex {
		return parseField(nil, p, v, depth)
	}
	if v.kind != bson.TypeEmbeddedDocument {
		return nil, errorf(codeBadValue, "$not needs a regex or a document")
	}
	if v.doc().empty() {
		return nil, errorf(codeBadValue, "$not cannot be empty")
	}
	if !isOperators(v) {
		it := v.doc().elements()
		name, _, _ := it.next()
		return nil, errorf(codeBadValue, "unknown operator: %s", name)
	}
	return parseOperators(nil, p, v.doc(), depth+1)
}

// parseTest reads one operator on a value. not means that the operator negates the test.
func parseTest(name string, v value, ops raw, depth int) (t tester, not bool, err error) {
	switch name {
	case "$eq", "$ne":
		if v.kind == bson.TypeRegex && name == "$ne" {
			return nil, false, errorf(codeBadValue, "Can't have regex as arg to $ne.")
		}
		return &equals{v}, name == "$ne", nil
	case "$gt", "$gte", "$lt", "$lte":
		if v.kind == bson.TypeRegex {
			return nil, false, errorf(codeBadValue, "Can't have RegEx as arg to predicate over field")
		}
		return &compares{v, name[1] == 'l', len(name) == 4}, false, nil
	case "$in", "$nin":
		t, err = parseIn(name, v)
		return t, name == "$nin", err
	case "$exists":
		return exists{}, !v.truthy(), nil
	case "$regex":
		t, err = parseRegex(v, ops.lookup("$options"))
		return t, false, err
	case "$options":
		if ops.lookup("$regex").kind == 0 {
			return nil, false, errorf(codeBadValue, "$options needs a $regex")
		}
		return nil, false, nil
	case "$size":
		n, ok := v.integer()
		if !v.isNumber() || !ok {
			return nil, false, errorf(codeFailedToParse, "Failed to parse $size. Expected an integer")
		}
		if n < 0 {
			return nil, false, errorf(codeBadValue, "Failed to parse $size. Expected a non-negative number")
		}
		return hasSize(n), false, nil
	case "$elemMatch":
		t, err = parseElemMatch(v, depth+1)
		return t, false, err
	}
	return nil, false, errorf(codeBadValue, "unknown operator: %s", name)
}
