package embedded

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// The key of a number is the largest double that is not above it, as eight ordered bytes, and what is left over.
// Nothing is left over for doubles and for integers up to 2^53; larger integers and decimals leave a non-negative
// decimal number: its exponent and its digits. So numbers of all kinds are ordered, and equal, by exact value.

const (
	exactRest   = 0 // the double is the number
	decimalRest = 1 // exponent and digits follow
)

var (
	// nanKey sorts below every number.
	nanKey       = []byte{0, 0, 0, 0, 0, 0, 0, 0, exactRest}
	lowestDouble = new(big.Rat).SetFloat64(-math.MaxFloat64)
	// decimalRange is above every decimal128.
	decimalRange = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(6146), nil))
)

func appendNumberKey(dst []byte, v value) []byte {
	switch v.kind {
	case bson.TypeInt32:
		return append(appendDoubleKey(dst, float64(v.int32())), exactRest)
	case bson.TypeInt64:
		floor, rest := splitInt(v.int64())
		dst = appendDoubleKey(dst, floor)
		if rest == 0 {
			return append(dst, exactRest)
		}
		return appendRest(dst, new(big.Rat).SetInt64(rest))
	case bson.TypeDouble:
		if f := v.double(); !math.IsNaN(f) {
			return append(appendDoubleKey(dst, f), exactRest)
		}
		return append(dst, nanKey...)
	}
	return appendDecimalKey(dst, v)
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

// splitInt finds the largest double not above i and the difference, which is below 2048.
func splitInt(i int64) (floor float64, rest int64) {
	floor = float64(i)
	if floor >= 1<<63 || int64(floor) > i {
		floor = math.Nextafter(floor, math.Inf(-1))
	}
	return floor, i - int64(floor)
}

func appendDecimalKey(dst []byte, v value) []byte {
	r, kind := decimalRat(v)
	switch kind {
	case notANumber:
		return append(dst, nanKey...)
	case positiveInfinity:
		return append(appendDoubleKey(dst, math.Inf(1)), exactRest)
	case negativeInfinity:
		return append(appendDoubleKey(dst, math.Inf(-1)), exactRest)
	}
	if r.Cmp(lowestDouble) < 0 {
		// Below every finite double: count up from under the lowest decimal, which keeps the rest positive.
		return appendRest(appendDoubleKey(dst, math.Inf(-1)), new(big.Rat).Add(r, decimalRange))
	}
	floor, _ := r.Float64()
	floor = min(floor, math.MaxFloat64)
	base := new(big.Rat).SetFloat64(floor)
	if base.Cmp(r) > 0 {
		floor = math.Nextafter(floor, math.Inf(-1))
		base.SetFloat64(floor)
	}
	dst = appendDoubleKey(dst, floor)
	if r.Cmp(base) == 0 {
		return append(dst, exactRest)
	}
	return appendRest(dst, r.Sub(r, base))
}

// appendRest writes a positive number that has finitely many decimal digits.
func appendRest(dst []byte, r *big.Rat) []byte {
	places, _ := r.FloatPrec()
	text := r.FloatString(places)
	whole, fraction, _ := strings.Cut(text, ".")
	whole = strings.TrimLeft(whole, "0")
	exponent, digits := len(whole), whole+fraction
	if whole == "" {
		trimmed := strings.TrimLeft(fraction, "0")
		exponent, digits = len(trimmed)-len(fraction), trimmed
	}
	dst = binary.BigEndian.AppendUint16(append(dst, decimalRest), uint16(exponent+1<<15))
	for _, digit := range []byte(strings.TrimRight(digits, "0")) {
		dst = append(dst, digit-'0'+1)
	}
	return append(dst, 0)
}

// readNumberKey decodes a number of a given kind; decimals lose their digits' form in the key and cannot be read.
func readNumberKey(key []byte, kind bson.Type) (v value, rest []byte, ok bool) {
	bits := binary.BigEndian.Uint64(key)
	if bits>>63 == 1 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	floor, more, key := math.Float64frombits(bits), key[8], key[9:]
	var left int64
	if more == decimalRest {
		exponent := int(binary.BigEndian.Uint16(key)) - 1<<15
		for key = key[2:]; key[0] != 0; key = key[1:] {
			left = left*10 + int64(key[0]-1)
			exponent--
		}
		for key = key[1:]; exponent > 0; exponent-- {
			left *= 10
		}
	}
	switch kind {
	case bson.TypeInt32:
		return int32Value(int32(floor)), key, true
	case bson.TypeInt64:
		return int64Value(int64(floor) + left), key, true
	case bson.TypeDouble:
		return doubleValue(floor), key, true
	}
	return missing, nil, false
}
