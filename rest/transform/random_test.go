package transform

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

// Every operation that Compile accepts can be transformed and reversed: random selections with
// random directives, most of which are rejected.
func TestRandomOperations(t *testing.T) {
	common := []string{"@keyBy", "@omitNull", "@text", "@coalesce"} // others are rare
	operations, accepted := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		g := selectionGenerator{rt}
		var text string
		var op *Operation
		for op == nil {
			text = "query T { shop" + g.directives(nil, "", "unwrap") + g.selection("Shop", 0) + " }"
			op, _ = Compile(workshop, "T", text)
		}
		operations++
		for _, name := range common {
			if strings.Contains(text, name) {
				accepted[name]++
			}
		}
		rt.Log(text)
		roundTrip(t, rt, op)
	})
	for _, name := range common {
		if operations >= 100 && accepted[name] == 0 { // fewer when rapid replays a failure
			t.Errorf("got no %s in %d operations", name, operations)
		}
	}
}

// selectionGenerator writes random selections of the test schema.
type selectionGenerator struct{ *rapid.T }

func (g selectionGenerator) maybe(times int) bool {
	return rapid.IntRange(1, times).Draw(g.T, "maybe") == 1
}

// selection selects a few fields of a type.
func (g selectionGenerator) selection(typ string, depth int) string {
	var b strings.Builder
	b.WriteString(" {")
	var names []string
	for _, f := range workshop.Types[typ].Fields {
		names = append(names, f.Name)
	}
	names = rapid.Permutation(names).Draw(g.T, "fields")
	for _, name := range names[:rapid.IntRange(1, min(5, len(names))).Draw(g.T, "count")] {
		f := workshop.Types[typ].Fields.ForName(name)
		t := workshop.Types[f.Type.Name()]
		composite := t.IsCompositeType()
		if composite && depth == 2 {
			continue
		}
		b.WriteString(" " + f.Name)
		switch {
		case f.Type.Elem != nil && composite && f.Type.Elem.Elem == nil:
			b.WriteString(g.list(f, typ, depth))
		case composite:
			b.WriteString(g.directives(f, typ, "spread", "emptyObject", "tuple", "omitNull", "coalesce") + g.selection(t.Name,
				depth+1))
		case f.Type.Elem != nil:
			b.WriteString(g.directives(f, typ, "numbered", "omitEmpty", "omitNull", "coalesce"))
		default:
			b.WriteString(g.directives(f, typ, "omitNull", "text", "offset", "coalesce", "header", "within"))
		}
	}
	for _, t := range workshop.GetPossibleTypes(workshop.Types[typ]) {
		if t.Name != typ && g.maybe(2) {
			b.WriteString(" ... on " + t.Name + g.selection(t.Name, depth))
		}
	}
	b.WriteString(" }")
	return b.String()
}

// list writes the directives and selections of a list of objects.
func (g selectionGenerator) list(f *ast.FieldDefinition, typ string, depth int) string {
	t := workshop.Types[f.Type.Name()]
	inner := g.selection(t.Name, depth+1)
	key := ""
	for _, f := range t.Fields {
		if f.Type.NonNull && bits(f.Type)+len(workshop.Types[f.Type.Name()].Fields) > 0 || f.Type.String() == "String!" {
			key = f.Name
			break
		}
	}
	if key == "" || g.maybe(3) {
		return g.directives(f, typ, "numbered", "omitEmpty", "omitNull", "coalesce", "within") + inner
	}
	inner = " { " + key + strings.TrimPrefix(strings.ReplaceAll(inner, " "+key+" ", " "), " {")
	return g.directives(f, typ, "spread", "omitEmpty", "omitNull", "coalesce") + ` @keyBy(field: "` + key + `")` + inner
}

// directives returns up to two of the named directives that the field's type allows.
func (g selectionGenerator) directives(f *ast.FieldDefinition, typ string, names ...string) string {
	out := ""
	for range 2 {
		if g.maybe(2) {
			break
		}
		name := rapid.SampledFrom(names).Draw(g.T, "directive")
		switch {
		case name == "unwrap":
			out += ` @unwrap(field: "name")`
		case name == "coalesce":
			out += ` @coalesce(into: "` + rapid.SampledFrom([]string{"c", "d"}).Draw(g.T, "into") + `")`
		case f.Type.NonNull && (name == "omitNull" || name == "emptyObject"), bits(f.Type) == 0 && name == "text",
			f.Type.Name() != "DateTime" && (name == "offset" || name == "header"):
		case name == "header":
			out += ` @header(name: "x-` + rapid.StringMatching("[a-z]").Draw(g.T, "header") + `")`
		case name == "within":
			out += ` @within(object: "` + rapid.SampledFrom([]string{"c", "w"}).Draw(g.T, "object") + `")`
		case name == "omitNull" && g.maybe(2):
			out += ` @omitNull(when: "` + rapid.SampledFrom(workshop.Types[typ].Fields).Draw(g.T, "when").Name +
				`", is: ["A", "B"])`
		default:
			out += " @" + name
		}
	}
	return out
}
