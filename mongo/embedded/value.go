package embedded

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// raw is a BSON document or array in its encoded form. Every raw has passed validate.
type raw []byte

// value is one BSON value, aliasing the document it was read from. The zero value means "missing".
type value struct {
	kind bson.Type
	data []byte
}

var (
	missing   = value{}
	null      = value{kind: bson.TypeNull}
	undefined = value{kind: bson.TypeUndefined}
	emptyDoc  = raw{5, 0, 0, 0, 0}
)

// elements walks the elements of a document in order.
type elements struct{ rest []byte }

func (d raw) elements() elements {
	if len(d) < 5 {
		return elements{}
	}
	return elements{d[4 : len(d)-1]}
}

// next returns the following element; ok is false at the end.
func (e *elements) next() (name []byte, v value, ok bool) {
	if len(e.rest) < 2 {
		return nil, missing, false
	}
	name, rest, named := bsoncore.ReadKeyBytes(e.rest[1:])
	body, rest, ok := bsoncore.ReadValue(rest, bsoncore.Type(e.rest[0]))
	e.rest = rest
	return name, value{bson.Type(body.Type), slices.Clip(body.Data)}, named && ok
}

// all ranges over the elements of a document.
func (d raw) all() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for it := d.elements(); ; {
			if name, v, ok := it.next(); !ok || !yield(string(name), v) {
				return
			}
		}
	}
}

// fields is all with names that alias the document.
func (d raw) fields() iter.Seq2[[]byte, value] {
	return func(yield func([]byte, value) bool) {
		for it := d.elements(); ; {
			if name, v, ok := it.next(); !ok || !yield(name, v) {
				return
			}
		}
	}
}

// lookup returns the value of a top-level field of the document; missing when there is none.
func (d raw) lookup(name string) value {
	for it := d.elements(); ; {
		key, v, ok := it.next()
		if !ok {
			return missing
		}
		if string(key) == name {
			return v
		}
	}
}

// empty reports whether the document has no element.
func (d raw) empty() bool { return len(d) <= 5 }

func (v value) int32() int32    { return int32(binary.LittleEndian.Uint32(v.data)) }
func (v value) int64() int64    { return int64(binary.LittleEndian.Uint64(v.data)) }
func (v value) double() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(v.data)) }
func (v value) bool() bool      { return v.data[0] != 0 }

// text returns the bytes of a string.
func (v value) text() []byte { return v.data[4 : len(v.data)-1] }

// doc returns an embedded document or array.
func (v value) doc() raw { return raw(v.data) }

func (v value) isNumber() bool { return order(v.kind) == orderNumber }

// integer reads any number whose value is an int64.
func (v value) integer() (int64, bool) {
	switch v.kind {
	case bson.TypeInt32:
		return int64(v.int32()), true
	case bson.TypeInt64:
		return v.int64(), true
	case bson.TypeDouble:
		f := v.double()
		if f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 {
			return int64(f), true
		}
	}
	return 0, false
}

// truthy reads a flag the way commands do: booleans and numbers count, everything else is false.
func (v value) truthy() bool {
	switch {
	case v.kind == bson.TypeBoolean:
		return v.bool()
	case v.isNumber():
		return compareNumbers(v, int32Value(0)) != 0
	}
	return false
}

func int32Value(n int32) value { return value{bson.TypeInt32, bsoncore.AppendInt32(nil, n)} }

func int64Value(n int64) value { return value{bson.TypeInt64, bsoncore.AppendInt64(nil, n)} }

func doubleValue(f float64) value { return value{bson.TypeDouble, bsoncore.AppendDouble(nil, f)} }

func docValue(d raw) value { return value{bson.TypeEmbeddedDocument, d} }

func (v value) isDoc() bool { return v.kind == bson.TypeEmbeddedDocument }

func (v value) isNested() bool { return v.isDoc() || v.kind == bson.TypeArray }
