package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	gql "github.com/vektah/gqlparser/v2/ast"
)

// modelTypes are the types that graph/model declares by hand.
type modelTypes []*ast.TypeSpec

// parseModel reads the types of a package, without generated files and tests.
func parseModel(dir string) (modelTypes, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var out modelTypes
	for _, name := range names {
		if strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for node := range ast.Preorder(file) {
			if spec, ok := node.(*ast.TypeSpec); ok {
				out = append(out, spec)
			}
		}
	}
	return out, nil
}

// declares reports whether the package declares a type.
func (m modelTypes) declares(name string) bool {
	return slices.ContainsFunc(m, func(spec *ast.TypeSpec) bool { return spec.Name.Name == name })
}

// writeModel writes what follows in graph/model from the schema and the structs there.
func writeModel(s *schema, types modelTypes) error {
	var f goFile
	writeConnections(&f, s, types)
	writeNodes(&f, s, types)
	writeEnums(&f, s)
	if err := writeEvents(&f, s, types); err != nil {
		return err
	}
	return f.write("graph/model/schema_gen.go", "model", "strconv", "", "github.com/99designs/gqlgen/graphql")
}

// writeConnections writes the types of connections and edges. Those with more fields are declared by hand.
func writeConnections(f *goFile, s *schema, types modelTypes) {
	f.add("type (")
	edges := map[string]bool{}
	for _, c := range s.connections {
		node := c.node
		if s.Types[node].Kind == gql.Object {
			node = "*" + node
		}
		if !types.declares(c.name) {
			f.add("// %s is a page of a list of %s.\n%s = Connection[%s]", c.name, c.node, c.name, node)
		}
		if !edges[c.node] {
			f.add("// %sEdge is a %s in a list.\n%sEdge = Edge[%s]", c.node, c.node, c.node, node)
		}
		edges[c.node] = true
	}
	f.add(")\n")
}

// writeNodes writes the ids of the types with @node. gqlgen marks those that it declares as nodes.
func writeNodes(f *goFile, s *schema, types modelTypes) {
	for _, def := range s.doc.Definitions {
		d := def.Directives.ForName("node")
		if d == nil {
			continue
		}
		name := goName(def.Name)
		if types.declares(name) {
			f.add("// IsNode marks an object of the interface Node.\nfunc (*%s) IsNode() {}\n", name)
		}
		f.add("// ID returns the global id.\nfunc (n *%s) ID() string { return GlobalID(%q, %s) }\n", name, def.Name, key(def, d))
	}
}

// key returns an expression for the natural key of a node.
func key(def *gql.Definition, node *gql.Directive) string {
	value := node.Arguments.ForName("key").Value
	if value.Kind != gql.ListValue {
		return keyPart(def, value.Raw)
	}
	parts := make([]string, len(value.Children))
	for i, child := range value.Children {
		parts[i] = keyPart(def, child.Value.Raw)
	}
	return strings.Join(parts, ` + ":" + `)
}

// keyPart returns an expression for a field that is part of a key. A field that the schema lacks is a string.
func keyPart(def *gql.Definition, field string) string {
	expression := "n." + goName(field)
	if f := def.Fields.ForName(field); f != nil && f.Type.NamedType == "Int" {
		return "strconv.Itoa(" + expression + ")"
	}
	return expression
}

// textEnums returns the enums with @text.
func textEnums(s *schema) gql.DefinitionList {
	var out gql.DefinitionList
	for _, def := range s.doc.Definitions {
		if def.Directives.ForName("text") != nil {
			out = append(out, def)
		}
	}
	return out
}

// writeEnums writes the enums with @text.
func writeEnums(f *goFile, s *schema) {
	for _, def := range textEnums(s) {
		variable := lowerFirst(plural(def.Name))
		f.add("var %s = newEnum(%q,", variable, def.Name)
		for _, v := range def.EnumValues {
			f.add("%q,", v.Name)
		}
		f.add(")\n")
		f.add("// Marshal%s writes a stored text as a value of the enum.", def.Name)
		f.add("func Marshal%s(text string) graphql.Marshaler { return %s.Marshal(text) }\n", def.Name, variable)
		f.add("// Unmarshal%s reads a value of the enum.", def.Name)
		f.add("func Unmarshal%s(v any) (string, error) { return %s.Unmarshal(v) }\n", def.Name, variable)
	}
}

// plural returns the plural of a name.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "ty"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}
