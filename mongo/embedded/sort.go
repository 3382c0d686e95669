package embedded

import (
	"bytes"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxGathered is the most bytes of documents that one command may sort or group in memory.
const maxGathered = 100 << 20

// sortKey is a document with the key that orders it.
type sortKey struct {
	key []byte
	doc raw
}

// sortAll reads a stream to its end and orders it. The documents must stay valid while the snapshot lasts.
func sortAll(source stream, fields []sortField) (*list, error) {
	var all []sortKey
	gathered := 0
	for d, err := range documents(source) {
		if err != nil {
			return nil, err
		}
		k := sortKey{appendSortKey(nil, d, fields), d}
		gathered += len(k.key) + len(d)
		if gathered > maxGathered {
			return nil, errorf(codeSortMemory,
				"Sort exceeded memory limit of %d bytes, and spilling to disk is not available", maxGathered)
		}
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(a, b sortKey) int { return bytes.Compare(a.key, b.key) })
	l := &list{docs: make([]raw, len(all)), borrowed: true}
	for i, k := range all {
		l.docs[i] = k.doc
	}
	return l, nil
}

// appendSortKey appends the key of a document in a sort order. For an array the smallest value counts when ascending,
// the largest when descending. A missing field sorts as null, an empty array below null.
func appendSortKey(dst []byte, d raw, fields []sortField) []byte {
	for _, f := range fields {
		e := extreme{descending: f.descending}
		anyAt(d, f.path, &e, false)
		if !e.found {
			e.best = null
		}
		dst = appendFieldKey(dst, e.best, f.descending)
	}
	return dst
}

// extreme keeps the smallest or largest value offered to it, entering arrays.
type extreme struct {
	descending, found bool
	best              value
}

func (e *extreme) test(v value) bool {
	if v.kind != bson.TypeArray {
		e.offer(v)
		return false
	}
	if v.doc().empty() {
		e.offer(undefined)
	}
	for _, element := range v.doc().all() {
		e.offer(element)
	}
	return false
}

func (e *extreme) offer(v value) {
	if !e.found {
		e.best, e.found = v, true
	} else if c := compareValues(v, e.best); c != 0 && c < 0 != e.descending {
		e.best = v
	}
}

// sortField is a field of a sort order or of an index.
type sortField struct {
	name       string
	path       path
	descending bool
}

func newField(name string, direction value) sortField {
	n, _ := direction.integer()
	return sortField{name, parsePath(name), n < 0}
}

func parseSort(d raw) ([]sortField, error) {
	var fields []sortField
	for name, v := range d.all() {
		if !v.isNumber() {
			return nil, errorf(15974, "Illegal key in $sort specification: %s", name)
		}
		if !isDirection(v) {
			return nil, errorf(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)")
		}
		if err := checkPath(name); err != nil {
			return nil, err
		}
		fields = append(fields, newField(name, v))
	}
	return fields, nil
}

// isDirection reports whether a value is 1, for ascending, or -1.
func isDirection(v value) bool {
	n, ok := v.integer()
	return ok && (n == 1 || n == -1)
}

// sorts reports whether the index has the order of the sort, and in which direction. Fields limited to one value do not
// matter; the other fields of the sort must be the first other fields of the index.
func (ix *index) sorts(sort []sortField, single []bool) (sorted, backward bool) {
	at, direction := 0, 0
	for _, s := range sort {
		held := slices.IndexFunc(ix.fields, func(f sortField) bool { return f.name == s.name })
		if held >= 0 && single[held] && !ix.Multikey[held] {
			continue
		}
		for at < len(ix.fields) && single[at] {
			at++
		}
		if at == len(ix.fields) || ix.fields[at].name != s.name || ix.Multikey[at] {
			return false, false
		}
		d := 1
		if ix.fields[at].descending != s.descending {
			d = -1
		}
		if direction != 0 && d != direction {
			return false, false
		}
		direction = d
		at++
	}
	return true, direction < 0
}
