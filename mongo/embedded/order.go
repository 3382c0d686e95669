package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

// sortField is one field of a sort.
type sortField struct {
	name       string
	path       path
	descending bool
}

// parseSort reads a sort document.
func parseSort(d raw) ([]sortField, error) {
	var fields []sortField
	for name, v := range d.all() {
		n, ok := v.integer()
		if v.kind == bson.TypeEmbeddedDocument {
			return nil, errorf(codeBadValue, "$meta sort is not supported")
		}
		if !v.isNumber() {
			return nil, errorf(15974, "Illegal key in $sort specification: %s", name)
		}
		if !ok || (n != 1 && n != -1) {
			return nil, errorf(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)")
		}
		if err := checkPath(name); err != nil {
			return nil, err
		}
		fields = append(fields, sortField{name, parsePath(name), n < 0})
	}
	return fields, nil
}

// sorts tells whether walking the index gives the order asked for, and in which direction. Fields held to one
// value do not matter; with several ranges the first field that is not must be the sort's.
func (ix *index) sorts(sort []sortField, single []bool, ranges []span) (sorted, backward bool) {
	at, direction := 0, 0
	for _, s := range sort {
		if held := ix.fieldNamed(s.name); held >= 0 && single[held] && !ix.Multikey[held] {
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

func (ix *index) fieldNamed(name string) int {
	for i, f := range ix.fields {
		if f.name == name {
			return i
		}
	}
	return -1
}
