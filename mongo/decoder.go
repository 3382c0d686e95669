package mongo

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// The driver is slow: for each element it allocates the name, looks codecs up in maps and copies the value through a
// buffered reader. Decoding took half of the time of an uncached response. Records are therefore decoded by a plan,
// compiled once per Go type, that reads the document in place (BenchmarkDecode: two to five times as fast, an eighth
// of the allocations).
//
// A plan decodes documents as the store writes them. If it meets anything else, such as a string where an integer
// belongs, it leaves the document to the driver, which converts the value or reports why it cannot. TestDecode and
// FuzzDecode compare both.

// decode decodes a document into a zero record, given by its pointer. The record does not alias the document's memory.
func decode(document bson.Raw, record any, slow func(any) error) error {
	to := reflect.ValueOf(record).Elem()
	if p := planOf(to.Type()); p != nil {
		if p.decode(document, to) {
			return nil
		}
		to.SetZero()
	}
	return slow(record)
}

// recordPlan decodes documents into structs of one type.
type recordPlan struct {
	fields []recordField
	byName map[string]int
}

type recordField struct {
	name  string
	index int
	set   setter
	null  bool // set decodes null too
}

var recordPlans sync.Map // *recordPlan by reflect.Type; nil if only the driver can decode the type

func planOf(t reflect.Type) *recordPlan {
	if p, ok := recordPlans.Load(t); ok {
		return p.(*recordPlan)
	}
	p := (&planCompiler{}).record(t)
	recordPlans.Store(t, p)
	return p
}

// decode reports whether the whole document could be decoded.
func (p *recordPlan) decode(document []byte, to reflect.Value) bool {
	n := len(document)
	if n < 5 || int(int32(binary.LittleEndian.Uint32(document))) != n || document[n-1] != 0 {
		return false
	}
	next := 0 // the store writes fields in the order of the struct
	var seen uint64
	for rest := document[4 : n-1]; len(rest) > 0; {
		kind, name, value, after, ok := cutElement(rest)
		if !ok {
			return false
		}
		rest = after
		if next == len(p.fields) || p.fields[next].name != string(name) {
			at, known := p.byName[string(name)]
			if !known {
				if _, similar := p.byName[strings.ToLower(string(name))]; similar {
					return false // the driver ignores the case if nothing else fits
				}
				continue
			}
			next = at
		}
		f := &p.fields[next]
		if seen&(1<<next) != 0 {
			return false // the driver merges repeated fields
		}
		seen |= 1 << next
		next++
		if (kind != bson.TypeNull || f.null) && !f.set(to.Field(f.index), kind, value) {
			return false
		}
	}
	return true
}

// cutElement splits off the first element of a document or an array, if the store writes values of its kind.
func cutElement(b []byte) (kind bson.Type, name, value, rest []byte, ok bool) {
	end := bytes.IndexByte(b, 0)
	if end < 1 {
		return 0, nil, nil, nil, false
	}
	v, rest, _ := bsoncore.ReadValue(b[end+1:], bsoncore.Type(b[0]))
	switch v.Type { // 0 if there is none
	case bsoncore.TypeString, bsoncore.TypeEmbeddedDocument, bsoncore.TypeArray:
		ok = len(v.Data) >= 5
	case bsoncore.TypeNull, bsoncore.TypeBoolean, bsoncore.TypeInt32, bsoncore.TypeInt64, bsoncore.TypeDouble,
		bsoncore.TypeDateTime, bsoncore.TypeObjectID, bsoncore.TypeBinary:
		ok = true
	}
	return bson.Type(v.Type), b[1:end], v.Data, rest, ok
}
