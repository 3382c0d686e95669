package embedded

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// operators are the update operators. Each reads its argument for one field and returns what is done there.
var operators = map[string]func(field string, arg value) (func(*node, path) error, error){
	"$set":         parseSet,
	"$setOnInsert": parseSet,
	"$unset": func(string, value) (func(*node, path) error, error) {
		return func(root *node, p path) error { return root.unset(p) }, nil
	},
	"$inc":      parseInc,
	"$min":      func(_ string, arg value) (func(*node, path) error, error) { return keepBetter(arg, -1), nil },
	"$max":      func(_ string, arg value) (func(*node, path) error, error) { return keepBetter(arg, 1), nil },
	"$push":     parsePush,
	"$pull":     parsePull,
	"$addToSet": parseAddToSet,
}

func parseSet(_ string, arg value) (func(*node, path) error, error) {
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err == nil {
			n.set(arg)
		}
		return err
	}, nil
}

func parseInc(field string, arg value) (func(*node, path) error, error) {
	if !arg.isNumber() {
		return nil, errorf(codeTypeMismatch, "Cannot increment with non-numeric argument: {%s: %s}", field, show(arg))
	}
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err != nil {
			return err
		}
		now := n.get()
		if now.kind == 0 {
			n.set(arg)
			return nil
		}
		if !now.isNumber() {
			return errorf(codeTypeMismatch, "Cannot apply $inc to a value of non-numeric type. The field '%s' is of type %s", p,
				typeName(now.kind))
		}
		sum, ok := add(now, arg)
		if !ok {
			return errorf(codeBadValue, "Failed to apply $inc operations to current value of '%s': %s", p, show(now))
		}
		n.set(sum)
		return nil
	}, nil
}

// add sums two numbers in the wider of their kinds; int32 grows to int64 when it must. false when an int64 overflows.
func add(a, b value) (value, bool) {
	switch {
	case a.kind == bson.TypeDecimal128 || b.kind == bson.TypeDecimal128:
		return addDecimals(a, b)
	case a.kind == bson.TypeDouble || b.kind == bson.TypeDouble:
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

// asDouble is the nearest double of a number.
func (v value) asDouble() float64 {
	switch v.kind {
	case bson.TypeDouble:
		return v.double()
	case bson.TypeDecimal128:
		r, kind := decimalRat(v)
		switch kind {
		case notANumber:
			return math.NaN()
		case positiveInfinity:
			return math.Inf(1)
		case negativeInfinity:
			return math.Inf(-1)
		}
		f, _ := r.Float64()
		return f
	}
	return float64(wide(v))
}

// addDecimals sums exactly, if 34 digits hold the sum.
func addDecimals(a, b value) (value, bool) {
	x, xc := rational(a)
	y, yc := rational(b)
	if xc != finite || yc != finite {
		return missing, false
	}
	sum := x.Add(x, y)
	places, exact := sum.FloatPrec()
	if !exact {
		return missing, false
	}
	digits, ok := new(big.Int).SetString(strings.Replace(sum.FloatString(places), ".", "", 1), 10)
	if !ok {
		return missing, false
	}
	d, ok := bson.ParseDecimal128FromBigInt(digits, -places)
	if !ok {
		return missing, false
	}
	high, low := d.GetBytes()
	data := binary.LittleEndian.AppendUint64(nil, low)
	return value{bson.TypeDecimal128, binary.LittleEndian.AppendUint64(data, high)}, true
}

// keepBetter is $min (side -1) and $max (side 1), in the order of all values.
func keepBetter(arg value, side int) func(*node, path) error {
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err != nil {
			return err
		}
		if now := n.get(); now.kind == 0 || compareValues(arg, now)*side > 0 {
			n.set(arg)
		}
		return nil
	}
}
