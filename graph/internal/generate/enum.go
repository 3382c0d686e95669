package main

import (
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

func textEnums(s *schema) ast.DefinitionList {
	var out ast.DefinitionList
	for _, def := range s.doc.Definitions {
		if def.Directives.ForName("text") != nil {
			out = append(out, def)
		}
	}
	return out
}

func writeEnums(f *goFile, s *schema) {
	for _, def := range textEnums(s) {
		variable := templates.LcFirst(plural(def.Name))
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

func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "ty"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}
