package mongo

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// The driver is slow: for each element it allocates the name, looks codecs up in maps and copies the value through a
// buffered reader. Decoding was half of the time of an uncached response. Records are therefore decoded by a plan,
// compiled once per Go type, that reads the document in place (BenchmarkDecode: five times as fast, an eighth of the
// allocations).
//
// A plan decodes what the store writes. It leaves a document in which it meets anything else, such as a string where an
// integer belongs, to the driver, which converts the value or reports why it cannot. TestDecode and FuzzDecode compare
// both.

// decode decodes a document into a zero record. The record keeps nothing of the document's memory.
func decode[T any](document bson.Raw, record *T, slow func(any) error) error {
	if p := planOf(reflect.TypeFor[T]()); p != nil {
		if p.decode(document, reflect.ValueOf(record).Elem()) {
			return nil
		}
		*record = *new(T)
	}
	return slow(record)
}

// setter decodes a value that is not null. It returns false if only the driver can.
type setter func(to reflect.Value, kind bson.Type, value []byte) bool

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

// cutElement splits off the first element of a document or an array.
func cutElement(b []byte) (kind bson.Type, name, value, rest []byte, ok bool) {
	end := bytes.IndexByte(b, 0)
	if end < 1 {
		return 0, nil, nil, nil, false
	}
	kind, name, b = bson.Type(b[0]), b[1:end], b[end+1:]
	size, ok := valueSize(kind, b)
	if !ok || size > len(b) {
		return 0, nil, nil, nil, false
	}
	return kind, name, b[:size:size], b[size:], true
}

// valueSize returns the length of the first value, false for kinds that the store does not write.
func valueSize(kind bson.Type, b []byte) (int, bool) {
	switch kind {
	case bson.TypeNull:
		return 0, true
	case bson.TypeBoolean:
		return 1, true
	case bson.TypeInt32:
		return 4, true
	case bson.TypeDouble, bson.TypeInt64, bson.TypeDateTime:
		return 8, true
	case bson.TypeObjectID:
		return 12, true
	}
	if len(b) < 5 {
		return 0, false
	}
	size := int(int32(binary.LittleEndian.Uint32(b)))
	if size < 0 {
		return 0, false
	}
	switch kind {
	case bson.TypeString:
		return size + 4, size > 0
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		return size, size >= 5
	case bson.TypeBinary:
		return size + 5, true
	}
	return 0, false
}

// maxPlanFields is the number of bits that remember which fields a document had.
const maxPlanFields = 64

// planCompiler compiles the plan of a type and of all types in it.
type planCompiler struct{ within []reflect.Type }

// record returns the plan of a struct, nil if only the driver can decode it. The names of fields are those of the
// driver's option UseJSONStructTags.
func (c *planCompiler) record(t reflect.Type) *recordPlan {
	if t.Kind() != reflect.Struct || strings.HasPrefix(t.PkgPath(), "go.mongodb.org/") ||
		reflect.PointerTo(t).Implements(reflect.TypeFor[bson.Unmarshaler]()) {
		return nil
	}
	for _, outer := range c.within {
		if outer == t {
			return nil // recursive types would need plans that refer to themselves
		}
	}
	c.within = append(c.within, t)
	defer func() { c.within = c.within[:len(c.within)-1] }()
	p := &recordPlan{byName: map[string]int{}}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("bson")
		if !ok {
			tag = f.Tag.Get("json")
		}
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case !f.IsExported() || tag == "-":
			continue
		case strings.Contains(options, "truncate"):
			return nil
		case strings.Contains(options, "inline"):
			if !p.addInline(i, c.record(f.Type)) {
				return nil
			}
			continue
		case name == "":
			name = strings.ToLower(f.Name)
		}
		if !p.add(recordField{name, i, c.value(f.Type), f.Type == reflect.TypeFor[bson.RawValue]()}) {
			return nil
		}
	}
	return p
}

// add reports whether the plan can decode a further field.
func (p *recordPlan) add(f recordField) bool {
	_, twice := p.byName[f.name]
	p.byName[f.name] = len(p.fields)
	p.fields = append(p.fields, f)
	return !twice && f.set != nil && len(p.fields) <= maxPlanFields
}

// addInline adds the fields of a struct that are stored beside those of the record.
func (p *recordPlan) addInline(index int, inner *recordPlan) bool {
	if inner == nil {
		return false
	}
	for _, f := range inner.fields {
		within := func(to reflect.Value, kind bson.Type, value []byte) bool {
			return f.set(to.Field(f.index), kind, value)
		}
		if !p.add(recordField{f.name, index, within, f.null}) {
			return false
		}
	}
	return true
}

// value returns how values of a type are decoded, nil if only the driver can.
func (c *planCompiler) value(t reflect.Type) setter {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return setTime
	case t == reflect.TypeFor[bson.RawValue]():
		return setRaw
	case reflect.PointerTo(t).Implements(reflect.TypeFor[bson.ValueUnmarshaler]()):
		return setUnmarshaler
	case strings.HasPrefix(t.PkgPath(), "go.mongodb.org/") || t.PkgPath() == "encoding/json":
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		return setString
	case reflect.Bool:
		return setBool
	case reflect.Int, reflect.Int64:
		return setInt
	case reflect.Float64:
		return setFloat
	case reflect.Struct:
		if p := c.record(t); p != nil {
			return func(to reflect.Value, kind bson.Type, value []byte) bool {
				return kind == bson.TypeEmbeddedDocument && p.decode(value, to)
			}
		}
	case reflect.Pointer:
		return setPointer(t.Elem(), c.value(t.Elem()))
	case reflect.Slice:
		switch elem := t.Elem(); {
		case elem.Kind() == reflect.Uint8:
			return setBytes
		case elem.Kind() == reflect.Pointer:
			return setPointers(elem.Elem(), c.value(elem.Elem()))
		default:
			return setList(t, c.value(elem))
		}
	case reflect.Map:
		if t.Key() == reflect.TypeFor[string]() {
			return setMap(t, c.value(t.Elem()))
		}
	}
	return nil
}

func setString(to reflect.Value, kind bson.Type, value []byte) bool {
	if kind != bson.TypeString || value[len(value)-1] != 0 {
		return false
	}
	to.SetString(string(value[4 : len(value)-1]))
	return true
}

func setBool(to reflect.Value, kind bson.Type, value []byte) bool {
	if kind != bson.TypeBoolean || value[0] > 1 {
		return false
	}
	to.SetBool(value[0] == 1)
	return true
}

func setInt(to reflect.Value, kind bson.Type, value []byte) bool {
	n, ok := integer(kind, value)
	to.SetInt(n)
	return ok
}

func integer(kind bson.Type, value []byte) (int64, bool) {
	switch kind {
	case bson.TypeInt32:
		return int64(int32(binary.LittleEndian.Uint32(value))), true
	case bson.TypeInt64:
		return int64(binary.LittleEndian.Uint64(value)), true
	}
	return 0, false
}

func setFloat(to reflect.Value, kind bson.Type, value []byte) bool {
	if kind == bson.TypeDouble {
		to.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(value)))
		return true
	}
	n, ok := integer(kind, value)
	to.SetFloat(float64(n))
	return ok
}

func setTime(to reflect.Value, kind bson.Type, value []byte) bool {
	if kind != bson.TypeDateTime {
		return false
	}
	*to.Addr().Interface().(*time.Time) = time.UnixMilli(int64(binary.LittleEndian.Uint64(value))).UTC()
	return true
}

func setRaw(to reflect.Value, kind bson.Type, value []byte) bool {
	*to.Addr().Interface().(*bson.RawValue) = bson.RawValue{Type: kind, Value: bytes.Clone(value)}
	return true
}

func setUnmarshaler(to reflect.Value, kind bson.Type, value []byte) bool {
	return to.Addr().Interface().(bson.ValueUnmarshaler).UnmarshalBSONValue(byte(kind), value) == nil
}

func setBytes(to reflect.Value, kind bson.Type, value []byte) bool {
	if kind != bson.TypeBinary || value[4] != bson.TypeBinaryGeneric {
		return false
	}
	to.SetBytes(append([]byte{}, value[5:]...))
	return true
}

func setPointer(elem reflect.Type, set setter) setter {
	if set == nil {
		return nil
	}
	return func(to reflect.Value, kind bson.Type, value []byte) bool {
		v := reflect.New(elem)
		to.Set(v)
		return set(v.Elem(), kind, value)
	}
}

// setPointers decodes lists of pointers, whose values are allocated together.
func setPointers(elem reflect.Type, set setter) setter {
	if set == nil {
		return nil
	}
	pointers, values := reflect.SliceOf(reflect.PointerTo(elem)), reflect.SliceOf(elem)
	return func(to reflect.Value, kind bson.Type, value []byte) bool {
		n, ok := arrayLength(kind, value)
		if !ok {
			return false
		}
		list, all := reflect.MakeSlice(pointers, n, n), reflect.MakeSlice(values, n, n)
		to.Set(list)
		return eachElement(value, func(i int, kind bson.Type, value []byte) bool {
			v := all.Index(i)
			list.Index(i).Set(v.Addr())
			return set(v, kind, value)
		})
	}
}

func setList(t reflect.Type, set setter) setter {
	if set == nil {
		return nil
	}
	return func(to reflect.Value, kind bson.Type, value []byte) bool {
		n, ok := arrayLength(kind, value)
		if !ok {
			return false
		}
		to.Set(reflect.MakeSlice(t, n, n))
		return eachElement(value, func(i int, kind bson.Type, value []byte) bool { return set(to.Index(i), kind, value) })
	}
}

// arrayLength returns the number of elements of an array, false if it is malformed.
func arrayLength(kind bson.Type, value []byte) (n int, ok bool) {
	if kind != bson.TypeArray || value[len(value)-1] != 0 {
		return 0, false
	}
	for rest := value[4 : len(value)-1]; len(rest) > 0; n++ {
		if _, _, _, rest, ok = cutElement(rest); !ok {
			return 0, false
		}
	}
	return n, true
}

// eachElement calls set for the elements of an array that are not null.
func eachElement(value []byte, set func(i int, kind bson.Type, value []byte) bool) bool {
	rest := value[4 : len(value)-1]
	for i := 0; len(rest) > 0; i++ {
		kind, _, element, after, _ := cutElement(rest)
		if rest = after; kind != bson.TypeNull && !set(i, kind, element) {
			return false
		}
	}
	return true
}

func setMap(t reflect.Type, set setter) setter {
	if set == nil {
		return nil
	}
	return func(to reflect.Value, kind bson.Type, value []byte) bool {
		if kind != bson.TypeEmbeddedDocument || value[len(value)-1] != 0 {
			return false
		}
		to.Set(reflect.MakeMap(t))
		for rest := value[4 : len(value)-1]; len(rest) > 0; {
			kind, name, element, after, ok := cutElement(rest)
			v := reflect.New(t.Elem()).Elem()
			if !ok || kind != bson.TypeNull && !set(v, kind, element) {
				return false
			}
			to.SetMapIndex(reflect.ValueOf(string(name)), v)
			rest = after
		}
		return true
	}
}
