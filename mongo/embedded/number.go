package embedded

import (
	"cmp"
	"math"
	"math/big"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// class distinguishes the numbers without a finite value.
type class int

const (
	finite class = iota
	notANumber
	negativeInfinity
	positiveInfinity
)

// compareNumbers orders two numbers of any kinds by value, exactly. NaN is below everything else and equal to
// itself, as in MongoDB's sort order.
func compareNumbers(a, b value) int {
	if a.kind == bson.TypeDecimal128 || b.kind == bson.TypeDecimal128 {
		return compareDecimals(a, b)
	}
	if a.kind != bson.TypeDouble && b.kind != bson.TypeDouble {
		return cmp.Compare(wide(a), wide(b))
	}
	if a.kind == bson.TypeDouble && b.kind == bson.TypeDouble {
		return cmp.Compare(a.double(), b.double())
	}
	if a.kind == bson.TypeDouble {
		return -compareIntDouble(wide(b), a.double())
	}
	return compareIntDouble(wide(a), b.double())
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

func compareDecimals(a, b value) int {
	x, xc := rational(a)
	y, yc := rational(b)
	if xc == finite && yc == finite {
		return x.Cmp(y)
	}
	return cmp.Compare(rank(xc), rank(yc))
}

// rank puts the classes in order around the finite numbers.
func rank(c class) int {
	return [...]int{finite: 2, notANumber: 0, negativeInfinity: 1, positiveInfinity: 3}[c]
}

// rational reads any number exactly.
func rational(v value) (*big.Rat, class) {
	switch v.kind {
	case bson.TypeDecimal128:
		return decimalRat(v)
	case bson.TypeDouble:
		f := v.double()
		switch {
		case math.IsNaN(f):
			return nil, notANumber
		case math.IsInf(f, 1):
			return nil, positiveInfinity
		case math.IsInf(f, -1):
			return nil, negativeInfinity
		}
		return new(big.Rat).SetFloat64(f), finite
	}
	return new(big.Rat).SetInt64(wide(v)), finite
}

func decimalRat(v value) (*big.Rat, class) {
	d := v.decimal()
	switch {
	case d.IsNaN():
		return nil, notANumber
	case d.IsInf() > 0:
		return nil, positiveInfinity
	case d.IsInf() < 0:
		return nil, negativeInfinity
	}
	mantissa, exponent, err := d.BigInt()
	if err != nil || mantissa.Sign() == 0 {
		return new(big.Rat), finite
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent < 0 {
		return new(big.Rat).SetFrac(mantissa, power), finite
	}
	return new(big.Rat).SetInt(mantissa.Mul(mantissa, power)), finite
}

func (v value) isNaN() bool {
	switch v.kind {
	case bson.TypeDouble:
		return math.IsNaN(v.double())
	case bson.TypeDecimal128:
		return v.decimal().IsNaN()
	}
	return false
}
