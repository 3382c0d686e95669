package embedded

import (
	"reflect"
	"slices"
)

// complete tells whether every document that passes the filter is in the index: a partial index holds only those
// that pass its own filter, so each of its conditions must be one of the query's, or follow from one.
func (ix *index) complete(filter allOf) bool {
	for _, need := range ix.partial {
		if !slices.ContainsFunc(filter, func(have matcher) bool { return implies(have, need) }) {
			return false
		}
	}
	return true
}

// implies recognises a condition that makes another one hold: the same condition, or for $exists any condition
// that a missing field does not meet.
func implies(have, need matcher) bool {
	h, ok := have.(*fieldMatch)
	n, ok2 := need.(*fieldMatch)
	if !ok || !ok2 || !samePath(h.path, n.path) {
		return false
	}
	if _, ok := n.pred.(exists); ok {
		return !h.pred.test(missing)
	}
	return reflect.DeepEqual(h.pred, n.pred)
}
