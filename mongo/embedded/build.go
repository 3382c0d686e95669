package embedded

import (
	"encoding/binary"
	"math"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A document is built by appending to a byte slice: openDoc reserves the length, closeDoc fills it in.

func openDoc(dst []byte) ([]byte, int) { return append(dst, 0, 0, 0, 0), len(dst) }

func closeDoc(dst []byte, at int) []byte {
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at))
	return dst
}

func openField(dst []byte, kind bson.Type, name string) ([]byte, int) {
	return openDoc(appendName(dst, kind, name))
}

func appendName(dst []byte, kind bson.Type, name string) []byte {
	dst = append(dst, byte(kind))
	dst = append(dst, name...)
	return append(dst, 0)
}

func appendValue(dst []byte, name string, v value) []byte {
	return append(appendName(dst, v.kind, name), v.data...)
}

// appendElement is appendValue for a name read from a document.
func appendElement(dst, name []byte, v value) []byte {
	dst = append(dst, byte(v.kind))
	dst = append(dst, name...)
	dst = append(dst, 0)
	return append(dst, v.data...)
}

func appendInt32(dst []byte, name string, n int32) []byte {
	return binary.LittleEndian.AppendUint32(appendName(dst, bson.TypeInt32, name), uint32(n))
}

func appendInt64(dst []byte, name string, n int64) []byte {
	return binary.LittleEndian.AppendUint64(appendName(dst, bson.TypeInt64, name), uint64(n))
}

// appendCount writes a count as int32 when it fits, as MongoDB does.
func appendCount(dst []byte, name string, n int64) []byte {
	if n == int64(int32(n)) {
		return appendInt32(dst, name, int32(n))
	}
	return appendInt64(dst, name, n)
}

func appendDouble(dst []byte, name string, f float64) []byte {
	return binary.LittleEndian.AppendUint64(appendName(dst, bson.TypeDouble, name), math.Float64bits(f))
}

func appendBool(dst []byte, name string, b bool) []byte {
	dst = appendName(dst, bson.TypeBoolean, name)
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendString(dst []byte, name, s string) []byte {
	return appendText(appendName(dst, bson.TypeString, name), s)
}

// appendText writes the body of a string value.
func appendText(dst []byte, s string) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s)+1))
	dst = append(dst, s...)
	return append(dst, 0)
}

func appendDoc(dst []byte, name string, d raw) []byte {
	return append(appendName(dst, bson.TypeEmbeddedDocument, name), d...)
}

func array(values []value) value {
	dst, at := openDoc(nil)
	for i, v := range values {
		dst = appendValue(dst, strconv.Itoa(i), v)
	}
	return value{bson.TypeArray, closeDoc(dst, at)}
}

// document builds a document from alternating calls; it keeps replies readable.
func document(fill func(dst []byte) []byte) raw {
	dst, at := openDoc(nil)
	return closeDoc(fill(dst), at)
}

func itoa(n int) string { return strconv.Itoa(n) }
