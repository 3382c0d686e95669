package embedded

import (
	"cmp"
	"encoding/binary"
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// compareNumbers orders two numbers of any kinds by value, exactly. NaN is below everything else and equal to
// itself, as in MongoDB's sort order.
func compareNumbers(a, b value) int {
	switch isDouble := a.kind == bson.TypeDouble; {
	case isDouble && b.kind == bson.TypeDouble:
		return cmp.Compare(a.double(), b.double())
	case isDouble:
		return -compareIntDouble(wide(b), a.double())
	case b.kind == bson.TypeDouble:
		return compareIntDouble(wide(a), b.double())
	}
	return cmp.Compare(wide(a), wide(b))
}

func wide(v value) int64 {
	if v.kind == bson.TypeInt32 {
		return int64(v.int32())
	}
	return v.int64()
}

func compareIntDouble(i int64, f float64) int {
	switch {
	case math.IsNaN(f), f < -(1 << 63):
		return 1
	case f >= 1<<63:
		return -1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return -cmp.Compare(f, whole)
}

func (v value) isNaN() bool { return v.kind == bson.TypeDouble && math.IsNaN(v.double()) }

// asDouble is the nearest double of a number.
func (v value) asDouble() float64 {
	if v.kind == bson.TypeDouble {
		return v.double()
	}
	return float64(wide(v))
}

// add sums two numbers in the wider of their kinds; int32 grows to int64 if necessary. It returns false when an int64
// overflows.
func add(a, b value) (value, bool) {
	if a.kind == bson.TypeDouble || b.kind == bson.TypeDouble {
		return doubleValue(a.asDouble() + b.asDouble()), true
	}
	x, y := wide(a), wide(b)
	sum := x + y
	if (sum > x) != (y > 0) && y != 0 {
		return missing, false
	}
	if a.kind == bson.TypeInt32 && b.kind == bson.TypeInt32 && sum == int64(int32(sum)) {
		return int32Value(int32(sum)), true
	}
	return int64Value(sum), true
}

// The key of a number is the largest double that is not above it, as eight ordered bytes, and the rest. Doubles and
// integers up to 2^53 have no rest. The rest of a larger integer is a positive number below 2048, stored in two bytes.
// So keys order numbers of all kinds, and make them equal, by exact value.

const (
	exactRest = 0 // the double is the number
	someRest  = 1 // the rest follows
)

// nanKey sorts below every number.
var nanKey = []byte{0, 0, 0, 0, 0, 0, 0, 0, exactRest}

func appendNumberKey(dst []byte, v value) []byte {
	switch {
	case v.kind == bson.TypeInt64:
		floor, rest := splitInt(v.int64())
		dst = appendDoubleKey(dst, floor)
		if rest == 0 {
			return append(dst, exactRest)
		}
		return binary.BigEndian.AppendUint16(append(dst, someRest), uint16(rest))
	case v.isNaN():
		return append(dst, nanKey...)
	}
	return append(appendDoubleKey(dst, v.asDouble()), exactRest)
}

// appendDoubleKey orders doubles as bytes; both zeros are the same number.
func appendDoubleKey(dst []byte, f float64) []byte {
	bits := math.Float64bits(f + 0) // -0 + 0 is +0
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// splitInt returns the largest double not above i, and the difference, which is below 2048.
func splitInt(i int64) (floor float64, rest int64) {
	floor = float64(i)
	if floor >= 1<<63 || int64(floor) > i {
		floor = math.Nextafter(floor, math.Inf(-1))
	}
	return floor, i - int64(floor)
}
