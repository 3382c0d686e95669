package mongo

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// setter decodes a value that is not null. It returns false if only the driver can.
type setter func(to reflect.Value, kind bson.Type, value []byte) bool

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

// setList decodes lists of values or of pointers to values, which are allocated together.
func setList(t reflect.Type, set setter) setter {
	if set == nil {
		return nil
	}
	pointers := t.Elem().Kind() == reflect.Pointer
	return func(to reflect.Value, kind bson.Type, value []byte) bool {
		n, ok := arrayLength(kind, value)
		if !ok {
			return false
		}
		list := reflect.MakeSlice(t, n, n)
		to.Set(list)
		values := list
		if pointers {
			values = reflect.MakeSlice(reflect.SliceOf(t.Elem().Elem()), n, n)
		}
		return eachElement(value, func(i int, kind bson.Type, value []byte) bool {
			if pointers {
				list.Index(i).Set(values.Index(i).Addr())
			}
			return set(values.Index(i), kind, value)
		})
	}
}

// arrayLength returns the number of elements of an array, false if it is malformed.
func arrayLength(kind bson.Type, value []byte) (n int, ok bool) {
	if kind != bson.TypeArray || value[len(value)-1] != 0 {
		return 0, false
	}
	for rest := value[4 : len(value)-1]; len(rest) > 0; n++ {
		_, _, _, rest, ok = cutElement(rest)
		if !ok {
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
		rest = after
		if kind != bson.TypeNull && !set(i, kind, element) {
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
