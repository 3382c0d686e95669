package transform

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// decode is a node as encoding/json would decode it.
func decode(n *node) any {
	switch n.kind {
	case '{':
		out := map[string]any{}
		for _, k := range n.keys {
			out[k] = decode(n.get(k))
		}
		return out
	case '[':
		out := []any{}
		for _, v := range n.items {
			out = append(out, decode(v))
		}
		return out
	case '"':
		s, _ := n.string()
		return s
	case '0':
		return json.Number(n.number())
	case 'n':
		return nil
	}
	return n.kind == 't'
}

// parse accepts what encoding/json accepts, except duplicate keys, invalid text and deep nesting.
func FuzzParse(f *testing.F) {
	many := `{"a":0` + strings.Repeat(`,"b`, 12) + `":1}`
	for _, s := range []string{
		`{"a":[1,-0.5e+3,null,true,false,"x\n\u00e9\ud83d\ude00"],"b":{}}`, `"\ud83d"`, ` [ ] `, "\x01true", "tru",
		`"a` + "\t" + `"`, `"\x"`, `{"a":1,}`, `[1 2]`, `{"a" 1}`, `{a:1}`, `01`, `-`, `1.`, `"`, ``, `{"a":1}}`,
		`nullx`, many, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"i":11}`, "\u00a01", "[\xff]",
		`"\\"`, `"\"`, `null"a"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parse([]byte(text), 0)
		if err == nil {
			if d := cmp.Diff(decoded(t, []byte(text)), decode(n)); d != "" {
				t.Fatal(d)
			}
			return
		}
		var b *bodyError
		if !errors.As(err, &b) || b.at < 0 || b.at > len(text) {
			t.Fatalf("error %v has no position in the text", err)
		}
		for _, stricter := range []string{"duplicate key", "nested deeper", "invalid UTF-8", "invalid surrogate"} {
			if strings.Contains(b.text, stricter) {
				return
			}
		}
		if json.Valid([]byte(text)) {
			t.Fatalf("valid JSON %q is rejected: %v", text, err)
		}
	})
}
