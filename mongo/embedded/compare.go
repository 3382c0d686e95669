package embedded

import (
	"bytes"
	"cmp"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Ranks of some types in the order of values.
const (
	orderNumber byte = 0x1E
	orderString byte = 0x3C
	orderObject byte = 0x46
	orderArray  byte = 0x50
	orderBinary byte = 0x5A
	orderDate   byte = 0x78
	orderStamp  byte = 0x82
	orderRegex  byte = 0x8C
	orderRef    byte = 0x96
	orderCode   byte = 0xA0
	orderScope  byte = 0xAA
)

// order is the rank of a BSON type in MongoDB's order of values. Types of the same rank compare by value.
// It is also the first byte of a key (see key.go), so the numbers have gaps and never reach 0x00 or 0xFF.
func order(kind bson.Type) byte {
	switch kind {
	case bson.TypeMinKey:
		return 0x0A
	case bson.TypeUndefined:
		return 0x0F
	case bson.TypeNull, 0:
		return 0x14
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDouble, bson.TypeDecimal128:
		return orderNumber
	case bson.TypeString, bson.TypeSymbol:
		return orderString
	case bson.TypeEmbeddedDocument:
		return orderObject
	case bson.TypeArray:
		return orderArray
	case bson.TypeBinary:
		return orderBinary
	case bson.TypeObjectID:
		return 0x64
	case bson.TypeBoolean:
		return 0x6E
	case bson.TypeDateTime:
		return orderDate
	case bson.TypeTimestamp:
		return orderStamp
	case bson.TypeRegex:
		return orderRegex
	case bson.TypeDBPointer:
		return orderRef
	case bson.TypeJavaScript:
		return orderCode
	case bson.TypeCodeWithScope:
		return orderScope
	default: // MaxKey
		return 0xF0
	}
}

// compareValues orders any two values as MongoDB sorts them; a missing value counts as null.
func compareValues(a, b value) int {
	if c := cmp.Compare(order(a.kind), order(b.kind)); c != 0 {
		return c
	}
	switch order(a.kind) {
	case orderNumber:
		return compareNumbers(a, b)
	case orderString, orderCode:
		return bytes.Compare(a.text(), b.text())
	case orderObject:
		return compareDocs(a.doc(), b.doc(), true)
	case orderArray:
		return compareDocs(a.doc(), b.doc(), false)
	case orderBinary:
		return compareBinary(a.data, b.data)
	case orderDate:
		return cmp.Compare(a.int64(), b.int64())
	case orderStamp:
		return cmp.Compare(a.uint64(), b.uint64())
	case orderRef:
		if c := cmp.Compare(len(a.data), len(b.data)); c != 0 {
			return c
		}
	case orderScope:
		return compareCode(a.data, b.data)
	}
	return bytes.Compare(a.data, b.data)
}

// compareDocs orders documents element by element: by type, then name, then value; a prefix is smaller. Arrays
// are compared without names, which are their positions.
func compareDocs(a, b raw, names bool) int {
	x, y := a.elements(), b.elements()
	for {
		xName, xValue, xOK := x.next()
		yName, yValue, yOK := y.next()
		switch {
		case !xOK && !yOK:
			return 0
		case !xOK:
			return -1
		case !yOK:
			return 1
		}
		if c := cmp.Compare(order(xValue.kind), order(yValue.kind)); c != 0 {
			return c
		}
		if names {
			if c := bytes.Compare(xName, yName); c != 0 {
				return c
			}
		}
		if c := compareValues(xValue, yValue); c != 0 {
			return c
		}
	}
}

// compareBinary orders by length, subtype and bytes.
func compareBinary(a, b []byte) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return bytes.Compare(a[4:], b[4:])
}

// compareCode orders code with scope by its text, then its scope.
func compareCode(a, b []byte) int {
	x, y := prefixed(a[4:], 4, 1), prefixed(b[4:], 4, 1)
	if c := bytes.Compare(a[8:3+x], b[8:3+y]); c != 0 {
		return c
	}
	return compareDocs(raw(a[4+x:]), raw(b[4+y:]), true)
}
