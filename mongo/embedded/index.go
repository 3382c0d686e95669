package embedded

import (
	"bytes"
	"encoding/binary"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// An index entry consists of the keys of its fields and the record number in eight bytes. Its value is empty. An entry
// is one of these, without the record number, except in the file.

// index is a compiled index. Like the catalog it never changes once visible.
type index struct {
	indexRecord
	fields  []sortField
	partial allOf // nil when every document is in the index
}

const recordSize = 8

func newIndex(record indexRecord) (*index, error) {
	ix := &index{indexRecord: record}
	for name, direction := range raw(record.Key).all() {
		ix.fields = append(ix.fields, newField(name, direction))
	}
	if len(ix.Multikey) == 0 {
		ix.Multikey = make([]bool, len(ix.fields))
	}
	if len(record.Partial) > 0 {
		var err error
		if ix.partial, err = parseFilter(raw(record.Partial)); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

// isMultikey reports whether some document has several entries in the index.
func (ix *index) isMultikey() bool { return slices.Contains(ix.Multikey, true) }

// entries returns the keys of a document, sorted and without duplicates, and which fields ran through arrays (nil for
// none).
func (ix *index) entries(d raw) ([][]byte, []bool, error) {
	if ix.partial != nil && !ix.partial.matches(d) {
		return nil, nil, nil
	}
	g := keyGenerator{index: ix}
	state := make([]progress, len(ix.fields))
	for i, f := range ix.fields {
		state[i] = progress{docValue(d), f.path}
	}
	if err := g.expand(state); err != nil {
		return nil, nil, err
	}
	if len(g.out) > 1 {
		slices.SortFunc(g.out, bytes.Compare)
		g.out = slices.CompactFunc(g.out, bytes.Equal)
	}
	return g.out, g.multikey, nil
}

// progress says how far a field's path has been followed.
type progress struct {
	at   value
	rest path
}

type keyGenerator struct {
	index    *index
	multikey []bool
	out      [][]byte
}

// expand follows all paths to their ends. When a path meets an array, all fields that run through this array take the
// same element at a time; one index cannot contain two different arrays.
func (g *keyGenerator) expand(state []progress) error {
	list := value{}
	for i := range state {
		p := &state[i]
		for len(p.rest) > 0 && p.at.kind == bson.TypeEmbeddedDocument {
			p.at, p.rest = p.at.doc().lookup(p.rest[0]), p.rest[1:]
		}
		if p.at.kind != bson.TypeArray || p.rest == nil {
			if len(p.rest) > 0 {
				p.at = missing
			}
			p.rest = nil // arrived
			continue
		}
		if list.kind == 0 {
			list = p.at
		} else if &list.data[0] != &p.at.data[0] {
			return errorf(codeParallelArrays, "cannot index parallel arrays [%s]", g.index.fields[i].name)
		}
	}
	if list.kind == 0 {
		return g.emit(state)
	}
	if g.multikey == nil {
		g.multikey = make([]bool, len(state))
	}
	elements := 0
	for it := list.doc().elements(); ; elements++ {
		_, e, ok := it.next()
		if !ok && elements > 0 {
			return nil
		}
		next := slices.Clone(state)
		for i := range next {
			p := &next[i]
			if p.rest == nil {
				continue
			}
			g.multikey[i] = true
			switch {
			case len(p.rest) > 0 && e.kind == bson.TypeEmbeddedDocument:
				p.at = e
			case len(p.rest) > 0:
				p.at, p.rest = missing, nil
			case !ok: // the empty array itself
				p.at, p.rest = undefined, nil
			default:
				p.at, p.rest = e, nil
			}
		}
		if err := g.expand(next); err != nil || !ok {
			return err
		}
	}
}

func (g *keyGenerator) emit(state []progress) error {
	key := make([]byte, 0, 56) // includes the record number
	for i, p := range state {
		key = appendFieldKey(key, p.at, g.index.fields[i].descending)
	}
	if len(key) > maxKey {
		return errorf(codeKeyTooLong, "key of %d bytes is too large for index %s", len(key), g.index.Name)
	}
	g.out = append(g.out, key)
	return nil
}

// withRecord is the stored form of a key. It may overwrite the memory behind the key, so call it for one number only.
func withRecord(key []byte, number uint64) []byte { return binary.BigEndian.AppendUint64(key, number) }

// recordOf reads the record number at the end of a stored key.
func recordOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-recordSize:]) }
