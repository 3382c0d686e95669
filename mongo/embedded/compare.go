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
)

// orders are the ranks of the BSON types in MongoDB's order of values. Types of the same rank compare by value. A rank
// is also the first byte of a key (see key.go), so the numbers have gaps and never reach 0x00 or 0xFF. Types without a
// rank do not pass validate, and neither does undefined, which keys use for an empty array.
var orders = [256]byte{
	bson.TypeUndefined: 0x0F, bson.TypeNull: 0x14, 0: 0x14,
	bson.TypeInt32: orderNumber, bson.TypeInt64: orderNumber, bson.TypeDouble: orderNumber,
	bson.TypeString: orderString, bson.TypeEmbeddedDocument: orderObject, bson.TypeArray: orderArray,
	bson.TypeBinary: orderBinary, bson.TypeObjectID: 0x64, bson.TypeBoolean: 0x6E, bson.TypeDateTime: orderDate,
}

func order(kind bson.Type) byte { return orders[kind] }

// compareValues orders any two values as MongoDB sorts them; a missing value counts as null.
func compareValues(a, b value) int {
	if c := cmp.Compare(order(a.kind), order(b.kind)); c != 0 {
		return c
	}
	switch order(a.kind) {
	case orderNumber:
		return compareNumbers(a, b)
	case orderString:
		return bytes.Compare(a.text(), b.text())
	case orderObject:
		return compareDocs(a.doc(), b.doc(), true)
	case orderArray:
		return compareDocs(a.doc(), b.doc(), false)
	case orderBinary:
		return compareBinary(a.data, b.data)
	case orderDate:
		return cmp.Compare(a.int64(), b.int64())
	}
	return bytes.Compare(a.data, b.data)
}

// compareDocs orders documents element by element: by type, then name, then value; a prefix is smaller. Arrays are
// compared without names, which are only positions.
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
