package transform

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// resolveSharedKeys finds the fields that share a key, which are neighbours, and the fields named by @omitNull(when:).
func (op *Operation) resolveSharedKeys(fields []*field) {
	first := map[string]*field{} // by schema field
	for i, f := range fields {
		f.twin = first[f.field.Name]
		switch {
		case f.twin == nil || exclusive(f.twin, f):
			first[f.field.Name], f.twin = f, nil
		case len(f.children) > 0 || len(f.field.Arguments) > 0:
			f.twin.aliased, f.aliased, f.twin = true, true, nil
		case f.on != nil:
			f.twin = nil // no reversible operation has such a twin
		}
		f.lastOfKey = i == len(fields)-1 || !f.Coalesced || !fields[i+1].Coalesced || f.key != fields[i+1].key ||
			f.Within != fields[i+1].Within || exclusive(f, fields[i+1])
		if f.OmitWhen == nil {
			continue
		}
		at := slices.IndexFunc(fields[:i], func(b *field) bool { return b.name == f.OmitWhen.Name })
		if at < 0 {
			op.problem("@omitNull(when:) of %s requires a field that is selected before it", f.name)
			continue
		}
		f.decider = fields[at]
		f.decider.decides = true
	}
	for _, f := range fields {
		f.verbatim = len(f.children) == 0 && !f.OmitNull && !f.OrFalse && !f.OmitEmpty && !f.Numbered &&
			!f.Text && !f.Offset && f.Spelling == "" && f.Reject == nil && f.Within == "" && f.WhenNull == "" &&
			f.Constant == nil && f.Header == "" && !f.Coalesced && !f.decides
	}
}

// form describes the JSON value of a field, to distinguish fields that share a key: the value's kind, then for arrays
// the kind of the first element, and so on. A suffix marks elements that can be null.
func (f *field) form() []string {
	switch {
	case f.keyBy != nil || f.Numbered:
		return []string{"object"}
	case f.list() != nil:
		elem := *f
		elem.typ = f.list()
		return arrayForm(elem.form(), f.list())
	case f.Tuple:
		return arrayForm(f.children[0].form(), f.children[0].typ)
	case len(f.children) > 0:
		return []string{"object"}
	case f.Text:
		return []string{"string"}
	}
	return []string{scalarForm(f.typ)}
}

const nullableSuffix = "?"

func arrayForm(elem []string, t *ast.Type) []string {
	if !t.NonNull {
		elem[0] += nullableSuffix
	}
	return append([]string{"array"}, elem...)
}

func scalarForm(t *ast.Type) string {
	switch t.Name() {
	case "Int", "Int64", "Float":
		return "number"
	case "Boolean":
		return "boolean"
	}
	return "string"
}

// fits reports whether a non-null value has the form of the field.
func (f *field) fits(n *node) bool {
	for _, form := range f.forms {
		want, null := strings.CutSuffix(form, nullableSuffix)
		switch {
		case n.null():
			return null
		case n.form() != want:
			return false
		case want == "array" && len(n.items) == 0:
			return f.array()
		case want == "array":
			n = n.items[0]
		}
	}
	return true
}

// array reports whether the body contains the field as an array that can be empty.
func (f *field) array() bool { return f.list() != nil && f.keyBy == nil && !f.Numbered }

// form returns the form of a non-null value.
func (n *node) form() string {
	switch n.kind {
	case '"':
		return "string"
	case '0':
		return "number"
	case '[':
		return "array"
	case '{':
		return "object"
	}
	return "boolean"
}
