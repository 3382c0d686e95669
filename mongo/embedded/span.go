package embedded

import (
	"bytes"
	"math"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// span is a range of keys: from low up to, not including, high. A nil high has no end.
type span struct{ low, high []byte }

// bounds describes the keys of one field that a condition allows.
type bounds struct {
	spans []span // sorted and disjoint
	exact bool   // a value lies in a span if and only if it passes the condition, arrays aside
	point bool   // every span is the key of one value
}

// pointSpan returns the span of the keys that begin with the key of a value: only its own.
func pointSpan(v value) span {
	key := appendKey(nil, v)
	return span{key, successor(key)}
}

// boundsOf turns a test into spans; nil when an index cannot help with the test.
func boundsOf(t tester) *bounds {
	switch t := t.(type) {
	case *equals:
		return equalBounds(t.value)
	case *compares:
		return rangeBounds(t)
	case *oneOf:
		return inBounds(t)
	}
	return nil
}

func equalBounds(v value) *bounds {
	switch v.kind {
	case bson.TypeArray: // an index holds the elements of an array, not the array
		return nil
	case bson.TypeNull:
		return &bounds{spans: []span{pointSpan(v)}, point: true}
	}
	return &bounds{spans: []span{pointSpan(v)}, exact: true, point: true}
}

func rangeBounds(t *compares) *bounds {
	place := order(t.value.kind)
	switch {
	case t.value.kind == bson.TypeNull && t.equal:
		return equalBounds(t.value)
	case t.value.kind == bson.TypeNull:
		return &bounds{exact: true}
	case place == orderArray || t.value.isNaN():
		return nil
	}
	at := pointSpan(t.value)
	all := span{[]byte{place}, []byte{place + 1}}
	if place == orderNumber {
		all.low = append(appendDoubleKey([]byte{place}, math.Inf(-1)), exactRest) // above NaN
	}
	s := span{at.high, all.high}
	switch {
	case t.below && t.equal:
		s = span{all.low, at.high}
	case t.below:
		s = span{all.low, at.low}
	case t.equal:
		s.low = at.low
	}
	return &bounds{spans: normal([]span{s}), exact: true}
}

func inBounds(t *oneOf) *bounds {
	b := &bounds{exact: true, point: true}
	for _, v := range t.values {
		part := equalBounds(v)
		if part == nil {
			return nil
		}
		b.spans = append(b.spans, part.spans...)
	}
	if t.null {
		b.spans = append(b.spans, pointSpan(null))
		b.exact = false
	}
	b.spans = normal(b.spans)
	return b
}

// normal sorts spans, joins overlapping spans and drops empty ones.
func normal(spans []span) []span {
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.high != nil && bytes.Compare(s.low, s.high) >= 0 })
	slices.SortFunc(spans, func(a, b span) int { return bytes.Compare(a.low, b.low) })
	out := spans[:0]
	for _, s := range spans {
		if len(out) == 0 || (out[len(out)-1].high != nil && bytes.Compare(out[len(out)-1].high, s.low) < 0) {
			out = append(out, s)
			continue
		}
		if last := &out[len(out)-1]; last.high != nil && bytes.Equal(last.high, s.low) {
			out = append(out, s) // neighbours stay apart: each may be the key of one value
		} else if last.high != nil && (s.high == nil || bytes.Compare(s.high, last.high) > 0) {
			last.high = s.high
		}
	}
	return out
}

// intersect returns the spans that lie in both bounds.
func intersect(a, b *bounds) *bounds {
	both := &bounds{exact: a.exact && b.exact, point: a.point || b.point}
	for i, j := 0, 0; i < len(a.spans) && j < len(b.spans); {
		x, y := a.spans[i], b.spans[j]
		s := x
		if bytes.Compare(y.low, x.low) > 0 {
			s.low = y.low
		}
		if x.high == nil || (y.high != nil && bytes.Compare(y.high, x.high) < 0) {
			s.high = y.high
			j++
		} else {
			i++
		}
		if s.high == nil || bytes.Compare(s.low, s.high) < 0 {
			both.spans = append(both.spans, s)
		}
	}
	return both
}

// under prefixes the span of a field with the keys of the fields before it.
func under(prefix []byte, s span, descending bool) span {
	low, high := s.low, s.high
	if descending {
		low, high = invertedAfter(s.high), invertedAfter(s.low)
	}
	if high == nil {
		return span{join(prefix, low), successor(prefix)}
	}
	return span{join(prefix, low), join(prefix, high)}
}

// invertedAfter returns the first key of a descending field after all keys that begin with the inverse of b.
func invertedAfter(b []byte) []byte {
	inverted := bytes.Clone(b)
	invert(inverted)
	return successor(inverted)
}

func join(a, b []byte) []byte {
	return append(append(make([]byte, 0, len(a)+len(b)+recordSize), a...), b...)
}
