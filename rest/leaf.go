package rest

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// leaf writes a value without selections, checked against its type.
func (u *unshaper) leaf(t *ast.Type, n *node) error {
	if n.delim != 0 {
		return wrong(n, "want a single value")
	}
	switch t.Name() {
	case "Boolean":
		b, ok := n.value.(bool)
		if !ok {
			return wrong(n, "want true or false")
		}
		u.out.WriteString(strconv.FormatBool(b))
	case "Int":
		num, err := strconv.ParseInt(number(n), 10, 32)
		if err != nil {
			return wrong(n, "want a whole number of 32 bits")
		}
		u.out.WriteString(strconv.FormatInt(num, 10))
	case "Int64":
		num, err := strconv.ParseInt(number(n), 10, 64)
		if err != nil {
			return wrong(n, "want a whole number of 64 bits")
		}
		u.out.WriteString(strconv.FormatInt(num, 10))
	case "Float":
		num, err := strconv.ParseFloat(number(n), 64)
		if err != nil || math.IsInf(num, 0) {
			return wrong(n, "want a number")
		}
		u.out.WriteString(number(n))
	default:
		s, ok := n.value.(string)
		if !ok {
			return wrong(n, "want a text")
		}
		u.text(s)
	}
	return nil
}

func number(n *node) string {
	num, _ := n.value.(json.Number)
	return num.String()
}

// text writes a string without the escapes that JSON does not need.
func (u *unshaper) text(s string) {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) < 0 {
		u.out.WriteByte('"')
		u.out.WriteString(s)
		u.out.WriteByte('"')
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	u.out.Write(bytes.TrimRight(b.Bytes(), "\n"))
}
