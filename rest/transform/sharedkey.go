package transform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// resolveSharedKeys finds the fields that share a key and rejects keys that could be written
// twice or whose value could not be attributed to one field.
func resolveSharedKeys(fields []*field) error {
	first := map[string]*field{} // by schema field
	for i, f := range fields {
		f.twin = first[f.field.Name]
		switch {
		case f.twin == nil || exclusive(f.twin, f):
			first[f.field.Name], f.twin = f, nil
		case len(f.children) > 0 || len(f.field.Arguments) > 0:
			f.twin.aliased, f.aliased, f.twin = true, true, nil
		case f.on != nil:
			f.twin = nil // an operation that can be reversed has none, see variant
		case !f.plainLeaf() || !f.twin.plainLeaf():
			return fmt.Errorf("%s and %s select one field that is not a plain single value", f.twin.name, f.name)
		}
		f.lastOfKey = true
		for _, key := range f.keys() {
			if err := f.shareKey(key, fields[:i]); err != nil {
				return err
			}
		}
	}
	lists := 0
	for i, f := range fields {
		if err := f.resolveWhen(fields[:i]); err != nil {
			return err
		}
		if f.Spread && f.keyBy != nil {
			lists++
			if lists > 1 {
				return errors.New("only one list can be spread")
			}
		}
		for _, other := range fields[:i] {
			if f.Coalesced && f.key == other.key && !exclusive(f, other) && ambiguous(f, other) {
				return fmt.Errorf("values of %s and %s look the same under the key %q", other.name, f.name, f.key)
			}
		}
	}
	for _, f := range fields {
		f.verbatim = len(f.children) == 0 && !f.OmitNull && !f.OrFalse && !f.OmitEmpty && !f.Numbered &&
			!f.Text && !f.Offset && f.Spelling == "" && f.Reject == nil && f.Within == "" && f.WhenNull == "" &&
			f.Constant == nil && f.Header == "" && !f.Coalesced && !f.decides
	}
	return nil
}

// shareKey checks that a field may be written to a key that fields before it can write.
func (f *field) shareKey(key string, before []*field) error {
	for i := len(before) - 1; i >= 0; i-- {
		b := before[i]
		switch {
		case exclusive(b, f) || !slices.Contains(b.keys(), key):
			continue
		case f.Within != "" && b.Within == f.Within && b.key != f.key:
			if i != len(before)-1 && before[i+1].Within != f.Within {
				return fmt.Errorf("the fields of the object %q must be adjacent", key)
			}
			continue
		case !b.Coalesced || !f.Coalesced:
			return fmt.Errorf("two fields are written to the key %q", key)
		case i != len(before)-1 || b.OmitNull != f.OmitNull && !f.typ.NonNull:
			return fmt.Errorf("the fields of the key %q must be adjacent and agree on @omitNull", key)
		case b.typ.NonNull:
			return fmt.Errorf("%s is never null, so %s is never written", b.name, f.name)
		}
		b.lastOfKey = false
		return nil
	}
	return nil
}

// resolveWhen finds the field that @omitNull(when:) names.
func (f *field) resolveWhen(before []*field) error {
	if f.OmitWhen == nil {
		return nil
	}
	if i := slices.IndexFunc(before, func(b *field) bool { return b.name == f.OmitWhen.Name }); i >= 0 {
		f.decider = before[i]
	}
	d := f.decider
	text := d // an object is represented by the one field that is picked from it
	if d != nil && d.Pick != nil && len(d.children) == 1 {
		text = d.children[0]
	}
	switch {
	case d == nil || !text.plainLeaf() || scalarForm(text.typ) != "string" || len(f.OmitWhen.Is) == 0:
		return fmt.Errorf(
			"@omitNull(when:) of %s requires a string field that is selected before it, and is: its values",
			f.name,
		)
	case slices.ContainsFunc(f.OmitWhen.Is, func(s string) bool { return strings.ContainsFunc(s, escapedInJSON) }):
		return fmt.Errorf("@omitNull(is:) of %s contains a character that JSON escapes", f.name)
	case slices.ContainsFunc(before, func(b *field) bool { return b.decides && b != d }):
		return errors.New("@omitNull(when:) can name only one field of an object")
	}
	d.decides = true
	return nil
}

// escapedInJSON reports whether a JSON string cannot contain a character without an escape.
func escapedInJSON(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

// form describes the JSON value of a field, which distinguishes fields that share a key: its kind, then for arrays the
// kind of the first element, and so on. A suffix marks elements that can be null.
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

// ambiguous reports whether a value can have the forms of both fields.
func ambiguous(a, b *field) bool {
	if a.array() && b.array() {
		return true
	}
	for i := range min(len(a.forms), len(b.forms)) {
		formA, nullA := strings.CutSuffix(a.forms[i], nullableSuffix)
		formB, nullB := strings.CutSuffix(b.forms[i], nullableSuffix)
		if nullA && nullB {
			return true
		}
		if formA != formB {
			return false
		}
	}
	return true
}

// fits reports whether a value that is not null has the form of the field.
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

// array reports whether the field is written as an array that can be empty.
func (f *field) array() bool { return f.list() != nil && f.keyBy == nil && !f.Numbered }

// form is the form of a value that is not null.
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
