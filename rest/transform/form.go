package transform

import (
	"encoding/json"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// form is what the JSON of a field looks like, by which fields of one key are told apart: what
// it is, then what the first thing in it is, and so on. A mark says that null may stand there.
func (f *field) form() []string {
	switch {
	case f.keyBy != nil || f.numbered:
		return []string{"object"}
	case f.list() != nil:
		one := *f
		one.typ = f.list()
		return inside(one.form(), f.list())
	case f.tuple:
		return inside(f.children[0].form(), f.children[0].typ)
	case len(f.children) > 0:
		return []string{"object"}
	case f.text:
		return []string{"text"}
	}
	return []string{scalarForm(f.typ)}
}

const nullable = "?"

func inside(form []string, t *ast.Type) []string {
	if !t.NonNull {
		form[0] += nullable
	}
	return append([]string{"array"}, form...)
}

func scalarForm(t *ast.Type) string {
	switch t.Name() {
	case "Int", "Int64", "Float":
		return "number"
	case "Boolean":
		return "boolean"
	}
	return "text"
}

// alike tells whether a value can have the forms of both fields.
func alike(a, b *field) bool {
	if a.manyOf() && b.manyOf() {
		return true
	}
	for i := range min(len(a.looks), len(b.looks)) {
		one, null := strings.CutSuffix(a.looks[i], nullable)
		other, both := strings.CutSuffix(b.looks[i], nullable)
		if null && both {
			return true
		}
		if one != other {
			return false
		}
	}
	return true
}

// fits reports whether a value, not null, has the form that a field is written in.
func fits(c *field, n *node) bool {
	for _, look := range c.looks {
		want, null := strings.CutSuffix(look, nullable)
		switch {
		case n.null():
			return null
		case n.form() != want:
			return false
		case want == "array" && len(n.items) == 0:
			return c.manyOf()
		case want == "array":
			n = n.items[0]
		}
	}
	return true
}

// form is what a value that is not null looks like.
func (n *node) form() string {
	switch n.value.(type) {
	case string:
		return "text"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	if n.delim == '[' {
		return "array"
	}
	return "object"
}

// manyOf tells whether the field is written as an array that can be empty.
func (f *field) manyOf() bool { return f.list() != nil && f.keyBy == nil && !f.numbered }
