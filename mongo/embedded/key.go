package embedded

import (
	"bytes"
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A key is an encoding of a value whose byte order is the order of compareValues. No key is a prefix of another key, so
// all entries of an index that agree in their first fields are adjacent, between the joined keys of these fields and
// their successor. A descending field stores its key with every bit inverted.

const maxKey = 32000 // the longest index entry in bytes; bbolt itself ends at 32768

// appendKey appends the key of a value; a missing value has the key of null.
func appendKey(dst []byte, v value) []byte {
	place := order(v.kind)
	dst = append(dst, place)
	switch place {
	case orderNumber:
		return appendNumberKey(dst, v)
	case orderString:
		return appendTextKey(dst, v.text())
	case orderObject:
		for name, e := range v.doc().fields() {
			dst = append(dst, order(e.kind))
			dst = append(append(dst, name...), 0)
			dst = appendKey(dst, e)
		}
		return append(dst, 0)
	case orderArray:
		for _, e := range v.doc().fields() {
			dst = appendKey(dst, e)
		}
		return append(dst, 0)
	case orderBinary:
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(v.data)-5))
		return append(dst, v.data[4:]...)
	case orderDate:
		return binary.BigEndian.AppendUint64(dst, uint64(v.int64())^1<<63)
	}
	return append(dst, v.data...) // object ids, booleans and the kinds without a body
}

// appendTextKey escapes zero bytes and ends with a mark that is below every continuation.
func appendTextKey(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, 0)
		if i < 0 {
			return append(append(dst, text...), 0, 1)
		}
		dst = append(append(dst, text[:i]...), 0, 0xFF)
		text = text[i+1:]
	}
}

// appendFieldKey appends the key of an index field in its direction.
func appendFieldKey(dst []byte, v value, descending bool) []byte {
	at := len(dst)
	dst = appendKey(dst, v)
	if descending {
		invert(dst[at:])
	}
	return dst
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// successor is the smallest byte string above everything that begins with b; nil when there is none.
func successor(b []byte) []byte {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != 0xFF {
			next := bytes.Clone(b[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}

// readKey decodes the key of a value at the start of a longer one. ok is false for kinds whose key does not contain the
// whole value.
func readKey(key []byte) (v value, rest []byte, ok bool) {
	place, key := key[0], key[1:]
	switch place {
	case orderString:
		text := make([]byte, 4, len(key)+4)
		for {
			i := bytes.IndexByte(key, 0)
			text = append(text, key[:i]...)
			mark := key[i+1]
			key = key[i+2:]
			text = append(text, 0)
			if mark == 1 {
				binary.LittleEndian.PutUint32(text, uint32(len(text)-4))
				return value{bson.TypeString, text}, key, true
			}
		}
	case orderDate:
		n := binary.BigEndian.Uint64(key) ^ 1<<63
		return value{bson.TypeDateTime, binary.LittleEndian.AppendUint64(nil, n)}, key[8:], true
	case order(bson.TypeBoolean):
		return value{bson.TypeBoolean, key[:1]}, key[1:], true
	case order(bson.TypeObjectID):
		return value{bson.TypeObjectID, key[:12]}, key[12:], true
	case orderBinary:
		n := int(binary.BigEndian.Uint32(key)) + 1
		data := binary.LittleEndian.AppendUint32(nil, uint32(n-1))
		return value{bson.TypeBinary, append(data, key[4:4+n]...)}, key[4+n:], true
	}
	return missing, nil, false
}
