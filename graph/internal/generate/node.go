package main

import (
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

func writeNodes(f *goFile, s *schema) {
	for _, def := range s.doc.Definitions {
		d := def.Directives.ForName("node")
		if d == nil {
			continue
		}
		var parts []string
		for field := range strings.SplitSeq(argument(d, "key", ""), ":") {
			parts = append(parts, keyPart(def, field))
		}
		f.add("// ID returns the global id.")
		f.add("func (n *%s) ID() string { return GlobalID(%q, %s) }\n",
			templates.ToGo(def.Name), def.Name, strings.Join(parts, ` + ":" + `))
	}
}

// keyPart returns an expression for a field that is part of a key. A field that the schema lacks is a string.
func keyPart(def *ast.Definition, field string) string {
	expression := "n." + templates.ToGo(field)
	if f := def.Fields.ForName(field); f != nil && f.Type.NamedType == "Int" {
		return "strconv.Itoa(" + expression + ")"
	}
	return expression
}
