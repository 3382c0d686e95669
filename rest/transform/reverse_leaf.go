package transform

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"
)

// zuluSuffix ends the schema's date-times, offsetSuffix date-times with @offset.
const zuluSuffix, offsetSuffix = "Z", "+00:00"

// leaf writes a value without selections after checking its type.
func (r *reverser) leaf(f *field, t *ast.Type, n *node) error {
	switch n.kind {
	case '{', '[':
		return errorAt(n, "want a single value")
	}
	text, isString := n.string()
	switch {
	case f.Text:
		if !isInteger(text, textBits(t)) {
			return errorAt(n, "want an integer of %d bits as a string", textBits(t))
		}
		r.out.WriteString(text)
		return nil
	case f.Offset:
		local, ok := strings.CutSuffix(text, offsetSuffix)
		if !ok {
			return errorAt(n, "want a date-time that ends in %s", offsetSuffix)
		}
		r.string(local + zuluSuffix)
		return nil
	}
	switch t.Name() {
	case "Boolean":
		if n.kind != 't' && n.kind != 'f' {
			return errorAt(n, "want true or false")
		}
		r.out.Write(n.raw)
	case "Int", "Int64":
		num, err := strconv.ParseInt(n.number(), 10, bits(t))
		if err != nil {
			return errorAt(n, "want an integer of %d bits", bits(t))
		}
		r.out.WriteString(strconv.FormatInt(num, 10))
	case "Float":
		num, err := strconv.ParseFloat(n.number(), 64)
		if err != nil || math.IsInf(num, 0) {
			return errorAt(n, "want a number")
		}
		r.out.Write(n.raw)
	default:
		if !isString {
			return errorAt(n, "want a string")
		}
		if !f.hasSpelling(text) {
			return errorAt(n, "want a value of %s: %s", f.enum.Name, strings.Join(f.spelledValues(), ", "))
		}
		r.string(text)
	}
	return nil
}

func (r *reverser) string(s string) {
	quoted, _ := jsontext.AppendQuote(r.out.AvailableBuffer(), s) // s was decoded from valid JSON
	r.out.Write(quoted)
}

// bits returns the size of an integer type, or 0 for other types.
func bits(t *ast.Type) int {
	switch t.Name() {
	case "Int":
		return 32
	case "Int64":
		return 64
	}
	return 0
}

// textBits returns the size of the integers that @text writes: a Float is exact to 53 bits.
func textBits(t *ast.Type) int {
	if t.Name() == "Float" {
		return 53
	}
	return bits(t)
}

// isInteger reports whether a string is an integer in shortest form that fits a number of bits.
func isInteger(s string, bits int) bool {
	num, err := strconv.ParseInt(s, 10, bits)
	return err == nil && strconv.FormatInt(num, 10) == s
}
