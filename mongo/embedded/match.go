package embedded

import (
	"regexp"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// matcher is a compiled filter, or a part of one.
type matcher interface{ matches(d raw) bool }

type (
	allOf  []matcher
	anyOf  []matcher
	noneOf []matcher
	// fieldMatch holds when some value at the path passes.
	fieldMatch struct {
		path   path
		pred   tester
		expand bool // offer the elements of an array at the end of the path
	}
	// negated is $not, $ne or $nin: no value at the path passes.
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

func (m noneOf) matches(d raw) bool { return !anyOf(m).matches(d) }

func (m *fieldMatch) matches(d raw) bool { return anyAt(d, m.path, m.pred, m.expand) }

func (m *negated) matches(d raw) bool { return !m.of.matches(d) }

// equals is $eq: null also matches what is missing.
type equals struct{ value value }

func (p *equals) test(v value) bool {
	if p.value.kind == bson.TypeNull {
		return v.kind == bson.TypeNull || v.kind == 0
	}
	return v.kind != 0 && compareValues(v, p.value) == 0
}

// compares is $gt, $gte, $lt or $lte. Values of another type's place never match, except that every value lies
// between MinKey and MaxKey.
type compares struct {
	value        value
	below, equal bool // which side, and whether the value itself belongs to it
}

func (p *compares) test(v value) bool {
	if p.value.kind == bson.TypeNull {
		return p.equal && (v.kind == bson.TypeNull || v.kind == 0)
	}
	if v.kind == 0 {
		return false
	}
	if order(v.kind) != order(p.value.kind) && p.value.kind != bson.TypeMinKey && p.value.kind != bson.TypeMaxKey {
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

type oneOf struct {
	values   []value // sorted
	patterns []*pattern
	null     bool
}

func (p *oneOf) test(v value) bool {
	if v.kind == 0 || v.kind == bson.TypeNull {
		return p.null
	}
	if _, found := slices.BinarySearchFunc(p.values, v, compareValues); found {
		return true
	}
	return slices.ContainsFunc(p.patterns, func(re *pattern) bool { return re.test(v) })
}

// exists is $exists: true; its opposite is negated.
type exists struct{}

func (exists) test(v value) bool { return v.kind != 0 }

// pattern is a regular expression; it also equals itself stored as a value.
type pattern struct {
	re     *regexp.Regexp
	source value
	prefix string // what every match begins with
	pure   bool   // the prefix is the whole condition
}

func (p *pattern) test(v value) bool {
	switch v.kind {
	case bson.TypeString, bson.TypeSymbol:
		return p.re.Match(v.text())
	case bson.TypeRegex:
		return string(v.data) == string(p.source.data)
	}
	return false
}

type hasSize int64

func (n hasSize) test(v value) bool {
	if v.kind != bson.TypeArray {
		return false
	}
	count := int64(0)
	for it := v.doc().elements(); ; count++ {
		if _, _, ok := it.next(); !ok {
			return count == int64(n)
		}
	}
}

// elemMatch is $elemMatch with conditions on the fields of an element.
type elemMatch struct{ of matcher }

func (p *elemMatch) test(v value) bool {
	return anyElement(v, func(e value) bool {
		return (e.kind == bson.TypeEmbeddedDocument || e.kind == bson.TypeArray) && p.of.matches(e.doc())
	})
}

// elemTest is $elemMatch with operators on the element itself.
type elemTest struct{ of tester }

func (p *elemTest) test(v value) bool { return anyElement(v, p.of.test) }

func anyElement(v value, pass func(value) bool) bool {
	if v.kind != bson.TypeArray {
		return false
	}
	for _, e := range v.doc().fields() {
		if pass(e) {
			return true
		}
	}
	return false
}

// allTests and notTest combine operators on one value, inside $elemMatch and $pull.
type allTests []tester

func (p allTests) test(v value) bool {
	for _, t := range p {
		if !t.test(v) {
			return false
		}
	}
	return true
}

type notTest struct{ of tester }

func (p *notTest) test(v value) bool { return !p.of.test(v) }

// expandsArray reports whether a test looks at an array's elements as well as at the array.
func expandsArray(t tester) bool {
	switch t.(type) {
	case hasSize, *elemMatch, *elemTest, exists:
		return false
	}
	return true
}
