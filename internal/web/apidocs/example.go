package apidocs

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// exampleFile lists arguments that give results in the demo world, by root field and argument, or by type.
//
//go:embed examples.json
var exampleFile []byte

var exampleValues = sync.OnceValue(func() (out map[string]string) {
	if err := json.Unmarshal(exampleFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// Bounds of an example: fields per object, levels of objects.
const (
	exampleFields = 8
	exampleDepth  = 3
)

// exampleWriter writes an example operation of a root field.
type exampleWriter struct {
	schema *ast.Schema
	now    time.Time
	b      strings.Builder
}

// exampleOperation returns an operation that selects a root field, with the arguments that it needs.
func exampleOperation(schema *ast.Schema, operation string, field *ast.FieldDefinition, now time.Time) string {
	w := &exampleWriter{schema: schema, now: now}
	w.b.WriteString(operation + " {\n")
	w.field(field, field.Name, "  ", exampleDepth)
	w.b.WriteString("}\n")
	return w.b.String()
}

// field writes a field with its selection. root is the root field, empty below it.
func (w *exampleWriter) field(f *ast.FieldDefinition, root, indent string, depth int) {
	w.b.WriteString(indent + f.Name)
	var args []string
	for _, a := range f.Arguments {
		switch {
		case a.Type.NonNull && a.DefaultValue == nil:
			args = append(args, a.Name+": "+cmp.Or(exampleValues()[root+"."+a.Name], w.value(a.Type)))
		case a.Name == "first":
			args = append(args, "first: 5")
		}
	}
	if args != nil {
		w.b.WriteString("(" + strings.Join(args, ", ") + ")")
	}
	if def := w.schema.Types[f.Type.Name()]; def.IsCompositeType() {
		w.b.WriteString(" {\n")
		w.selection(def, indent+"  ", depth)
		w.b.WriteString(indent + "}")
	}
	w.b.WriteString("\n")
}

// selection writes fields of a type: simple fields, the entries of a connection, and a few objects.
func (w *exampleWriter) selection(def *ast.Definition, indent string, depth int) {
	if def.IsAbstractType() {
		w.b.WriteString(indent + "__typename\n")
	}
	connection := def.Fields.ForName("nodes") != nil && def.Fields.ForName("pageInfo") != nil
	simple, objects := 0, 0
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") || f.Directives.ForName("deprecated") != nil ||
			f.Name != "nodes" && needsArguments(f) {
			continue
		}
		of := w.schema.Types[f.Type.Name()]
		switch {
		case connection && !slices.Contains([]string{"nodes", "totalCount", "pageInfo"}, f.Name):
		case connection && f.Name == "pageInfo":
			w.b.WriteString(indent + "pageInfo {\n" + indent + "  hasNextPage\n" + indent + "  endCursor\n" + indent + "}\n")
		case connection:
			w.field(f, "", indent, depth)
		case !of.IsCompositeType():
			simple++
			if simple <= exampleFields {
				w.field(f, "", indent, depth)
			}
		case depth > 1 && len(f.Arguments) == 0 && !strings.HasSuffix(of.Name, "Connection"):
			objects++
			if objects <= 2 && w.hasSimple(of) {
				w.field(f, "", indent, 1)
			}
		}
	}
	if simple+objects == 0 && !connection && !def.IsAbstractType() {
		w.b.WriteString(indent + "__typename\n")
	}
}

// hasSimple reports whether a type has a field that needs no selection.
func (w *exampleWriter) hasSimple(def *ast.Definition) bool {
	return slices.ContainsFunc(def.Fields, func(f *ast.FieldDefinition) bool {
		return !strings.HasPrefix(f.Name, "__") && !w.schema.Types[f.Type.Name()].IsCompositeType() && !needsArguments(f)
	})
}

func needsArguments(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool {
		return a.Type.NonNull && a.DefaultValue == nil
	})
}

// value returns a realistic value of a type.
func (w *exampleWriter) value(t *ast.Type) string {
	if t.Elem != nil {
		return "[" + w.value(t.Elem) + "]"
	}
	if known, ok := exampleValues()[t.NamedType]; ok {
		return known
	}
	def := w.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Enum:
		return def.EnumValues[0].Name
	case ast.InputObject:
		var fields []string
		oneOf := def.Directives.ForName("oneOf") != nil
		for i, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil || oneOf && i == 0 {
				fields = append(fields, f.Name+": "+w.value(f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch t.NamedType {
	case "Int", "Int64":
		return "1"
	case "Float":
		return "1.5"
	case "Boolean":
		return "true"
	case "UUID":
		return `"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"`
	case "DateTime":
		return `"` + w.now.UTC().AddDate(0, 0, -1).Truncate(24*time.Hour).Format(time.RFC3339) + `"`
	}
	return `"text"`
}
