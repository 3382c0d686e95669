package embedded

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// matcher is a compiled filter, or a part of one.
type matcher interface{ matches(d raw) bool }

type (
	allOf []matcher
	anyOf []matcher
	// fieldMatch holds when some value at the path passes.
	fieldMatch struct {
		path path
		pred tester
	}
	// negated is $not, $ne or $exists: false: no value at the path passes.
	negated struct{ of matcher }
)

func (m allOf) matches(d raw) bool {
	for _, part := range m {
		if !part.matches(d) {
			return false
		}
	}
	return true
}

func (m anyOf) matches(d raw) bool {
	for _, part := range m {
		if part.matches(d) {
			return true
		}
	}
	return false
}

func (m *fieldMatch) matches(d raw) bool { return anyAt(d, m.path, m.pred, true) }

func (m *negated) matches(d raw) bool { return !m.of.matches(d) }

// equals tests for equality: null also matches a missing value.
type equals struct{ value value }

func (p *equals) test(v value) bool {
	if p.value.kind == bson.TypeNull {
		return v.kind == bson.TypeNull || v.kind == 0
	}
	return v.kind != 0 && compareValues(v, p.value) == 0
}

// compares is $gt, $gte, $lt or $lte. Values whose type has another rank never match.
type compares struct {
	value        value
	below, equal bool // which side of the value matches, and whether the value itself does
}

func (p *compares) test(v value) bool {
	if p.value.kind == bson.TypeNull {
		return p.equal && (v.kind == bson.TypeNull || v.kind == 0)
	}
	if v.kind == 0 || order(v.kind) != order(p.value.kind) {
		return false
	}
	if v.isNaN() || p.value.isNaN() {
		return p.equal && v.isNaN() && p.value.isNaN()
	}
	switch c := compareValues(v, p.value); {
	case c == 0:
		return p.equal
	case c < 0:
		return p.below
	default:
		return !p.below
	}
}

// oneOf is $in.
type oneOf struct {
	values []value // sorted
	null   bool
}

func (p *oneOf) test(v value) bool {
	if v.kind == 0 || v.kind == bson.TypeNull {
		return p.null
	}
	_, found := slices.BinarySearchFunc(p.values, v, compareValues)
	return found
}

// exists is $exists: true; its opposite is negated.
type exists struct{}

func (exists) test(v value) bool { return v.kind != 0 }
