package main

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

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
		f.add("// ID returns the global id.")
		f.add("func (n *%s) ID() string { return GlobalID(%q, %s) }\n", name, def.Name, key(def, d))
	}
}

// key returns an expression for the natural key of a node.
func key(def *ast.Definition, node *ast.Directive) string {
	value := node.Arguments.ForName("key").Value
	if value.Kind != ast.ListValue {
		return keyPart(def, value.Raw)
	}
	parts := make([]string, len(value.Children))
	for i, child := range value.Children {
		parts[i] = keyPart(def, child.Value.Raw)
	}
	return strings.Join(parts, ` + ":" + `)
}

// keyPart returns an expression for a field that is part of a key. A field that the schema lacks is a string.
func keyPart(def *ast.Definition, field string) string {
	expression := "n." + goName(field)
	if f := def.Fields.ForName(field); f != nil && f.Type.NamedType == "Int" {
		return "strconv.Itoa(" + expression + ")"
	}
	return expression
}
