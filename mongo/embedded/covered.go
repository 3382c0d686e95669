package embedded

import (
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// kindLost marks a value whose exact form its key does not keep.
const kindLost bson.Type = 0xFE

// kindOf is what an index notes about a value: its kind, 0 when it is missing, kindLost when only the document
// itself can tell.
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

// defaultKind is the kind that an index entry without notes stands for.
func defaultKind(v value) bson.Type {
	if order(v.kind) == orderNumber {
		return bson.TypeInt32
	}
	if v.kind == 0 {
		return bson.TypeNull
	}
	return kindOf(value{kind: v.kind})
}

// keyKind is the kind that a key without notes stands for.
func keyKind(key []byte) bson.Type {
	if len(key) > 0 && key[0] == orderNumber {
		return bson.TypeInt32
	}
	return bson.TypeNull
}
