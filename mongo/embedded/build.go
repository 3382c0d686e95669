package embedded

import (
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
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

func appendName[N string | []byte](dst []byte, kind bson.Type, name N) []byte {
	dst = append(dst, byte(kind))
	dst = append(dst, name...)
	return append(dst, 0)
}

func appendValue[N string | []byte](dst []byte, name N, v value) []byte {
	return append(appendName(dst, v.kind, name), v.data...)
}

// appendCount writes a count as int32 when it fits, as MongoDB does.
func appendCount(dst []byte, name string, n int64) []byte {
	if n == int64(int32(n)) {
		return bsoncore.AppendInt32Element(dst, name, int32(n))
	}
	return bsoncore.AppendInt64Element(dst, name, n)
}

// appendList writes an array of one string.
func appendList(dst []byte, name, s string) []byte {
	only := bsoncore.Value{Type: bsoncore.TypeString, Data: bsoncore.AppendString(nil, s)}
	return bsoncore.BuildArrayElement(dst, name, only)
}

// document builds a document from alternating calls; it keeps replies readable.
func document(fill func(dst []byte) []byte) raw {
	dst, at := openDoc(nil)
	return closeDoc(fill(dst), at)
}
