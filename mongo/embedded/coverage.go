package embedded

import (
	"bytes"
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// coverage computes a projection from index entries only.
type coverage struct {
	index  *index
	wanted []bool // by index field
	buffer []byte
}

// newCoverage returns nil if the index cannot cover the projection: every included field must be a top-level field of
// the index without arrays.
func newCoverage(p *plan, projection *projection) *coverage {
	if p.index == nil || projection == nil || projection.exclude || len(p.filter) > 0 || p.index.isMultikey() {
		return nil
	}
	cover := &coverage{index: p.index, wanted: make([]bool, len(p.index.fields))}
	found := 0
	for i, f := range p.index.fields {
		if len(f.path) > 1 {
			continue
		}
		sub, named := projection.fields[f.name]
		if f.name == "_id" {
			named = !projection.hideID
		}
		if named && sub == nil {
			cover.wanted[i] = true
			found++
		}
	}
	need := len(projection.fields)
	if !projection.hideID {
		need++
	}
	if found != need {
		return nil
	}
	return cover
}

// read builds the document of an entry; nil if the entry does not contain enough. It is valid until the next call.
func (c *coverage) read(key, kinds []byte) raw {
	dst, at := openDoc(c.buffer[:0])
	key = key[:len(key)-recordSize]
	for i, f := range c.index.fields {
		v, rest, ok := readField(key, kinds, i, f.descending)
		if !ok {
			return nil
		}
		key = rest
		if c.wanted[i] && v.kind != 0 {
			dst = appendValue(dst, f.name, v)
		}
	}
	c.buffer = closeDoc(dst, at)
	return c.buffer
}

// readField decodes the next field of an entry.
func readField(key, kinds []byte, field int, descending bool) (v value, rest []byte, ok bool) {
	if descending {
		key = bytes.Clone(key)
		invert(key)
	}
	kind := keyKind(key)
	if len(kinds) > field {
		kind = bson.Type(kinds[field])
	}
	if kind == kindLost {
		return missing, nil, false
	}
	v, rest, ok = readKey(key, kind)
	if descending {
		rest = bytes.Clone(rest)
		invert(rest)
	}
	return v, rest, ok
}

// kindLost marks a value whose exact form cannot be derived from its key.
const kindLost bson.Type = 0xFE

// kindOf returns the kind of a value in an index entry: 0 if the value is missing, kindLost if only the document has
// it.
func kindOf(v value) bson.Type {
	switch v.kind {
	case 0, bson.TypeNull, bson.TypeInt32, bson.TypeInt64, bson.TypeString, bson.TypeObjectID, bson.TypeBoolean,
		bson.TypeDateTime, bson.TypeBinary:
		return v.kind
	case bson.TypeDouble:
		if f := v.double(); f == f && (f != 0 || !math.Signbit(f)) {
			return bson.TypeDouble
		}
	}
	return kindLost
}

// defaultKind is the kind of a value in an index entry without kinds.
func defaultKind(v value) bson.Type {
	if order(v.kind) == orderNumber {
		return bson.TypeInt32
	}
	if v.kind == 0 {
		return bson.TypeNull
	}
	return kindOf(value{kind: v.kind})
}

// keyKind is the kind of a key in an index entry without kinds.
func keyKind(key []byte) bson.Type {
	if len(key) > 0 && key[0] == orderNumber {
		return bson.TypeInt32
	}
	return bson.TypeNull
}
