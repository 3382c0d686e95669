package embedded

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// This file reads the operators that take a list, or look into one.

func parseIn(name string, v value) (tester, error) {
	if v.kind != bson.TypeArray {
		return nil, errorf(codeBadValue, "%s needs an array", name)
	}
	in := &oneOf{}
	for _, e := range v.doc().fields() {
		switch {
		case e.kind == bson.TypeRegex:
			re, err := newPattern(e.regex())
			if err != nil {
				return nil, err
			}
			in.patterns = append(in.patterns, re)
		case e.kind == bson.TypeNull:
			in.null = true
		case isOperators(e):
			return nil, errorf(codeBadValue, "cannot nest $ under %s", name)
		default:
			in.values = append(in.values, e)
		}
	}
	slices.SortFunc(in.values, compareValues)
	in.values = slices.CompactFunc(in.values, func(a, b value) bool { return compareValues(a, b) == 0 })
	return in, nil
}

// parseAll turns $all into the tests that must each be passed by some value.
func parseAll(v value, depth int) ([]tester, error) {
	if v.kind != bson.TypeArray {
		return nil, errorf(codeBadValue, "$all needs an array")
	}
	var tests []tester
	for _, e := range v.doc().all() {
		var t tester = &equals{e}
		var err error
		switch {
		case e.kind == bson.TypeRegex:
			t, err = newPattern(e.regex())
		case isOperators(e):
			inner := e.doc().lookup("$elemMatch")
			if inner.kind == 0 {
				return nil, errorf(codeBadValue, "no $ expressions in $all")
			}
			t, err = parseElemMatch(inner, depth+1)
		}
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return tests, nil
}

func parseElemMatch(v value, depth int) (tester, error) {
	if v.kind != bson.TypeEmbeddedDocument {
		return nil, errorf(codeBadValue, "$elemMatch needs an Object")
	}
	it := v.doc().elements()
	name, _, _ := it.next()
	if first := string(name); isOperators(v) && first != "$and" && first != "$or" && first != "$nor" {
		of, err := parseTests(v.doc(), depth)
		return &elemTest{of}, err
	}
	of, err := parseFilterAt(v.doc(), depth)
	return &elemMatch{of}, err
}

// parseTests reads operators that apply to one value rather than to a path.
func parseTests(ops raw, depth int) (allTests, error) {
	if depth > maxFilterDepth {
		return nil, errorf(codeBadValue, "filter nested deeper than %d levels", maxFilterDepth)
	}
	var all allTests
	for name, v := range ops.all() {
		var t tester
		var not bool
		var err error
		switch {
		case name == "$not" && v.kind == bson.TypeRegex:
			t, err = newPattern(v.regex())
			not = true
		case name == "$not" && isOperators(v):
			t, err = parseTests(v.doc(), depth+1)
			not = true
		default:
			t, not, err = parseTest(name, v, ops, depth)
		}
		if err != nil {
			return nil, err
		}
		if not {
			t = &notTest{t}
		}
		if t != nil {
			all = append(all, t)
		}
	}
	return all, nil
}
