package transform

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// inUTC and withOffset end a moment as the schema and as @offset write it.
const inUTC, withOffset = "Z", "+00:00"

// rewritten writes a value without selections in the form that its directive names.
func (t *transformer) rewritten(f *field) error {
	raw, err := t.skip()
	if err != nil {
		return err
	}
	value := unquoted(raw)
	t.out.WriteByte('"')
	if f.offset {
		value = bytes.TrimSuffix(value, []byte(inUTC))
	}
	t.out.Write(value)
	if f.offset {
		t.out.WriteString(withOffset)
	}
	t.out.WriteByte('"')
	return nil
}

// leaf writes a value without selections, checked against its type.
func (r *reverser) leaf(f *field, t *ast.Type, n *node) error {
	if n.delim != 0 {
		return wrong(n, "want a single value")
	}
	switch {
	case f.text:
		s, _ := n.value.(string)
		if !whole(s, bits(t)) {
			return wrong(n, "want a whole number of %d bits as a text", bits(t))
		}
		r.out.WriteString(s)
		return nil
	case f.offset:
		s, _ := n.value.(string)
		moment, ok := strings.CutSuffix(s, withOffset)
		if !ok {
			return wrong(n, "want a moment that ends in %s", withOffset)
		}
		r.text(moment + inUTC)
		return nil
	}
	switch t.Name() {
	case "Boolean":
		b, ok := n.value.(bool)
		if !ok {
			return wrong(n, "want true or false")
		}
		r.out.WriteString(strconv.FormatBool(b))
	case "Int", "Int64":
		num, err := strconv.ParseInt(number(n), 10, bits(t))
		if err != nil {
			return wrong(n, "want a whole number of %d bits", bits(t))
		}
		r.out.WriteString(strconv.FormatInt(num, 10))
	case "Float":
		num, err := strconv.ParseFloat(number(n), 64)
		if err != nil || math.IsInf(num, 0) {
			return wrong(n, "want a number")
		}
		r.out.WriteString(number(n))
	default:
		s, ok := n.value.(string)
		if !ok {
			return wrong(n, "want a text")
		}
		r.text(s)
	}
	return nil
}

// bits are those of a type of whole numbers, 0 for other types.
func bits(t *ast.Type) int {
	switch t.Name() {
	case "Int":
		return 32
	case "Int64":
		return 64
	}
	return 0
}

// whole tells whether a text is a whole number of so many bits, written as numbers are.
func whole(text string, bits int) bool {
	num, err := strconv.ParseInt(text, 10, bits)
	return err == nil && strconv.FormatInt(num, 10) == text
}

func number(n *node) string {
	num, _ := n.value.(json.Number)
	return num.String()
}

// text writes a string without the escapes that JSON does not need.
func (r *reverser) text(s string) {
	if !strings.ContainsFunc(s, escaped) {
		r.out.WriteByte('"')
		r.out.WriteString(s)
		r.out.WriteByte('"')
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	r.out.Write(bytes.TrimRight(b.Bytes(), "\n"))
}

// escaped tells whether a text of JSON cannot hold a character as it is.
func escaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' }
