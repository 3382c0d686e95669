package embedded

import (
	"bytes"
	"math"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"pgregory.net/rapid"
)

// anyValue draws values of every kind, most of them near others of the same kind.
func anyValue(depth int) *rapid.Generator[any] {
	whole := rapid.SampledFrom([]int64{
		0, 1, -1, 2, 1 << 31, 1<<53 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1), 1<<62 + 1,
		math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1,
	})
	kinds := []*rapid.Generator[any]{
		rapid.Map(rapid.Int32Range(-3, 3), func(n int32) any { return n }),
		rapid.Map(whole, func(n int64) any { return n }),
		rapid.Map(whole, func(n int64) any { return float64(n) }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 0.1, -0.1, math.NaN(), math.Inf(1), math.Inf(-1),
			math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
		}), func(f float64) any { return f }),
		rapid.Map(rapid.StringOfN(rapid.SampledFrom([]rune{0, 1, 'a', 'b', 'é', 0xff}), 0, 4, -1),
			func(s string) any { return s }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Int64(), func(n int64) any { return bson.DateTime(n) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 3), func(b []byte) any {
			return bson.Binary{
				Subtype: byte(len(b)),
				Data:    b,
			}
		}),
		rapid.Map(rapid.Byte(), func(b byte) any { return bson.ObjectID{b} }),
		rapid.Just[any](nil),
	}
	if depth > 0 {
		inner := anyValue(depth - 1)
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(inner, 0, 3), func(list []any) any { return bson.A(list) }),
			rapid.Custom(func(t *rapid.T) any {
				d := bson.D{}
				for range rapid.IntRange(0, 3).Draw(t, "fields") {
					d = append(d, bson.E{Key: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "name"), Value: inner.Draw(t,
						"value")})
				}
				return d
			}))
	}
	return rapid.OneOf(kinds...)
}

func encode(t failing, v any) value {
	d := must(bson.Marshal(d("v", v)))(t)
	check(t, validate(d))
	return raw(d).lookup("v")
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestKeyOrder(t *testing.T) {
	values := anyValue(2)
	rapid.Check(t, func(t *rapid.T) {
		a, b := encode(t, values.Draw(t, "a")), encode(t, values.Draw(t, "b"))
		want := compareValues(a, b)
		if back := compareValues(b, a); back != -want {
			t.Fatalf("comparing gives %d one way and %d the other", want, back)
		}
		x, y := appendKey(nil, a), appendKey(nil, b)
		if got := bytes.Compare(x, y); got != sign(want) {
			t.Fatalf("keys compare %d, values %d\n%x\n%x", got, want, x, y)
		}
		if want != 0 && (bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x)) {
			t.Fatalf("one key begins with the other\n%x\n%x", x, y)
		}
		x, y = appendFieldKey(nil, a, true), appendFieldKey(nil, b, true)
		if got := bytes.Compare(x, y); got != -sign(want) {
			t.Fatalf("descending keys compare %d, values %d", got, want)
		}
		if next := successor(appendKey(nil, a)); bytes.Compare(next, appendKey(nil, a)) <= 0 || want > 0 &&
			bytes.Compare(successor(appendKey(nil, b)), appendKey(nil, a)) > 0 {
			t.Fatal("the successor is out of order")
		}
	})
}

func TestKeyReadsBack(t *testing.T) {
	values := anyValue(0)
	rapid.Check(t, func(t *rapid.T) {
		v := encode(t, values.Draw(t, "v"))
		got, rest, ok := readKey(append(appendKey(nil, v), 7))
		lost := v.isNumber() || v.kind == bson.TypeNull
		if ok == lost || ok && (got.kind != v.kind || !bytes.Equal(got.data, v.data) || !bytes.Equal(rest, []byte{7})) {
			t.Fatalf("read %v %x, want %v %x", got.kind, got.data, v.kind, v.data)
		}
	})
}
