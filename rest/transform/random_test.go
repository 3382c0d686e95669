package transform

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

// What the checks of a plan let pass can be shaped and undone, whatever the operation is:
// random selections with random directives, most of which are refused.
func TestAnyOperation(t *testing.T) {
	common := []string{"@keyBy", "@omitNull", "@text", "@coalesce"} // the others come up in longer runs
	operations, taken := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		w := writer{rt}
		var text string
		var op *Operation
		for op == nil {
			text = "query T { shop" + w.directives(nil, "", "unwrap") + w.selection("Shop", 0) + " }"
			op, _ = Compile(workshop, "T", text)
		}
		operations++
		for _, name := range common {
			if strings.Contains(text, name) {
				taken[name]++
			}
		}
		rt.Log(text)
		roundTrip(t, rt, op)
	})
	for _, name := range common {
		if operations >= 100 && taken[name] == 0 { // fewer when a failure is looked at again
			t.Errorf("none of %d operations has %s", operations, name)
		}
	}
}

// writer writes random selections over the schema of the tests.
type writer struct{ *rapid.T }

func (w writer) maybe(times int) bool { return rapid.IntRange(1, times).Draw(w.T, "maybe") == 1 }

// selection selects a few fields of a type, those first that can name an entry.
func (w writer) selection(typ string, depth int) string {
	var b strings.Builder
	b.WriteString(" {")
	var names []string
	for _, f := range workshop.Types[typ].Fields {
		names = append(names, f.Name)
	}
	names = rapid.Permutation(names).Draw(w.T, "fields")
	for _, name := range names[:rapid.IntRange(1, min(5, len(names))).Draw(w.T, "count")] {
		f := workshop.Types[typ].Fields.ForName(name)
		t := workshop.Types[f.Type.Name()]
		composite := t.Kind == ast.Object
		if t.Kind == ast.Interface || composite && depth == 2 {
			continue
		}
		b.WriteString(" " + f.Name)
		switch {
		case f.Type.Elem != nil && composite && f.Type.Elem.Elem == nil:
			b.WriteString(w.list(f, typ, depth))
		case composite:
			b.WriteString(w.directives(f, typ, "spread", "emptyObject", "tuple", "omitNull", "coalesce") + w.selection(t.Name,
				depth+1))
		case f.Type.Elem != nil:
			b.WriteString(w.directives(f, typ, "numbered", "omitEmpty", "omitNull", "coalesce"))
		default:
			b.WriteString(w.directives(f, typ, "omitNull", "text", "offset", "coalesce", "header"))
		}
	}
	b.WriteString(" }")
	return b.String()
}

// list writes the directives and selections of a list of objects.
func (w writer) list(f *ast.FieldDefinition, typ string, depth int) string {
	t := workshop.Types[f.Type.Name()]
	inner := w.selection(t.Name, depth+1)
	key := ""
	for _, f := range t.Fields {
		if f.Type.NonNull && bits(f.Type)+len(workshop.Types[f.Type.Name()].Fields) > 0 || f.Type.String() == "String!" {
			key = f.Name
			break
		}
	}
	if key == "" || w.maybe(3) {
		return w.directives(f, typ, "numbered", "omitEmpty", "omitNull", "coalesce") + inner
	}
	inner = " { " + key + strings.TrimPrefix(strings.ReplaceAll(inner, " "+key+" ", " "), " {")
	return w.directives(f, typ, "spread", "omitEmpty", "omitNull", "coalesce") + ` @keyBy(field: "` + key + `")` + inner
}

// directives are up to two of those named, as far as the field's type takes them.
func (w writer) directives(f *ast.FieldDefinition, typ string, names ...string) string {
	out := ""
	for range 2 {
		if w.maybe(2) {
			break
		}
		name := rapid.SampledFrom(names).Draw(w.T, "directive")
		switch {
		case name == "unwrap":
			out += ` @unwrap(field: "name")`
		case name == "coalesce":
			out += ` @coalesce(into: "` + rapid.SampledFrom([]string{"c", "d"}).Draw(w.T, "into") + `")`
		case f.Type.NonNull && (name == "omitNull" || name == "emptyObject"), bits(f.Type) == 0 && name == "text",
			f.Type.Name() != "DateTime" && (name == "offset" || name == "header"):
		case name == "header":
			out += ` @header(name: "x-` + rapid.StringMatching("[a-z]").Draw(w.T, "header") + `")`
		case name == "omitNull" && w.maybe(2):
			out += ` @omitNull(when: "` + rapid.SampledFrom(workshop.Types[typ].Fields).Draw(w.T, "when").Name +
				`", is: ["A", "B"])`
		default:
			out += " @" + name
		}
	}
	return out
}
