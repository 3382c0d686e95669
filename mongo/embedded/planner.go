package embedded

import (
	"reflect"
	"slices"
)

// plan says how to find the candidates of a query.
type plan struct {
	collection *collection
	index      *index // nil for a collection scan
	ranges     []span // of the index
	backward   bool
	filter     allOf // conditions that a candidate must still pass
	own        allOf // the same for records that the transaction has written
	sorted     bool  // candidates are in the order of the sort
	unique     bool  // no document can appear twice
}

// maxCombinations bounds the number of ranges from combining lists of values of several fields.
const maxCombinations = 4096

// newPlan chooses the index with the longest run of equalities, then a range, then the sort order.
func newPlan(c *collection, filter allOf, sort []sortField) *plan {
	best, bestScore := &plan{collection: c, filter: filter, unique: true, sorted: len(sort) == 0}, 0
	for _, ix := range c.indexes {
		if p, score := indexPlan(c, ix, filter, sort); p != nil && score > bestScore {
			best, bestScore = p, score
		}
	}
	return best
}

// indexPlan returns the best plan with one index, and its score; nil when the index is of no use.
func indexPlan(c *collection, ix *index, filter allOf, sort []sortField) (*plan, int) {
	used := make([]bool, len(filter))
	if !ix.complete(filter) {
		return nil, 0
	}
	prefixes := [][]byte{nil}
	var ranges []span
	score, equal := 0, 0
	single := make([]bool, len(ix.fields)) // fields limited to one value
	for i := range ix.fields {
		b, exact := fieldBounds(ix, i, filter)
		if b == nil || ix.sharesEarlierArray(i) || len(prefixes)*len(b.spans) > maxCombinations && i > 0 {
			break
		}
		for _, condition := range exact {
			used[condition] = true
		}
		ranges, prefixes = extend(prefixes, b.spans, ix.fields[i].descending)
		if !b.point {
			score += 30
			break
		}
		single[i] = len(b.spans) == 1
		score += 100
		equal++
	}
	sorted, backward := ix.sorts(sort, single)
	if ranges == nil && (!sorted || len(sort) == 0) {
		return nil, 0
	}
	if ranges == nil {
		ranges = []span{{}}
	}
	if sorted && len(sort) > 0 {
		score += 20
	}
	if ix.Unique && equal == len(ix.fields) {
		score += 1000
	}
	p := &plan{
		collection: c, index: ix, ranges: ranges, backward: backward, sorted: sorted, unique: !ix.isMultikey(),
	}
	for i, m := range filter {
		if !used[i] {
			p.filter = append(p.filter, m)
		}
	}
	return p, score*8 - len(ix.fields)
}

// extend appends the spans of the next field to every prefix, in key order. The new prefixes are meaningful only when
// each span is the key of one value.
func extend(prefixes [][]byte, spans []span, descending bool) (ranges []span, next [][]byte) {
	ranges = make([]span, 0, len(prefixes)*len(spans))
	next = make([][]byte, 0, len(prefixes)*len(spans))
	for _, prefix := range prefixes {
		for i := range spans {
			s := spans[i]
			if descending {
				s = spans[len(spans)-1-i]
			}
			ranges = append(ranges, under(prefix, s, descending))
			key := join(prefix, s.low)
			if descending {
				invert(key[len(prefix):])
			}
			next = append(next, key)
		}
	}
	return ranges, next
}

// fieldBounds combines the filter's conditions on one index field, and returns which of them the index decides
// completely. With arrays, different elements may satisfy different conditions, so only one condition counts.
func fieldBounds(ix *index, field int, filter allOf) (best *bounds, exact []int) {
	for i, m := range filter {
		f, ok := m.(*fieldMatch)
		if !ok || !slices.Equal(f.path, ix.fields[field].path) {
			continue
		}
		b := boundsOf(f.pred)
		if b == nil {
			continue
		}
		switch {
		case best == nil:
			best = b
		case !ix.Multikey[field]:
			best = intersect(best, b)
		case b.point && !best.point:
			best = b
		default:
			continue
		}
		if b.exact && !ix.Multikey[field] {
			exact = append(exact, i)
		}
	}
	return best, exact
}

// sharesEarlierArray reports whether an earlier field may run through the same array. Then different elements may meet
// the filter's conditions on the two fields, but an index entry holds the fields of one element.
func (ix *index) sharesEarlierArray(field int) bool {
	for i := range field {
		if ix.Multikey[i] && ix.Multikey[field] && ix.fields[i].path[0] == ix.fields[field].path[0] {
			return true
		}
	}
	return false
}

// complete reports whether the index has every document that matches the filter. A partial index has only the documents
// that match its own filter, so the query must contain or imply each of its conditions.
func (ix *index) complete(filter allOf) bool {
	for _, need := range ix.partial {
		if !slices.ContainsFunc(filter, func(have matcher) bool { return implies(have, need) }) {
			return false
		}
	}
	return true
}

// implies reports whether one condition implies another: an equal condition does, and $exists follows from any
// condition that a missing field does not meet.
func implies(have, need matcher) bool {
	h, ok := have.(*fieldMatch)
	n, ok2 := need.(*fieldMatch)
	if !ok || !ok2 || !slices.Equal(h.path, n.path) {
		return false
	}
	if _, ok := n.pred.(exists); ok {
		return !h.pred.test(missing)
	}
	return reflect.DeepEqual(h.pred, n.pred)
}
