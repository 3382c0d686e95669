package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	gql "github.com/vektah/gqlparser/v2/ast"
)

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
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution|parser.ParseComments)
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

func (m modelTypes) declares(name string) bool {
	return slices.ContainsFunc(m, func(spec *ast.TypeSpec) bool { return spec.Name.Name == name })
}

// writeModel writes the code in graph/model derived from the schema and the structs there.
func writeModel(s *schema, types modelTypes) error {
	var f goFile
	writeConnections(&f, s, types)
	writeInterfaces(&f, s, types)
	writeNodes(&f, s)
	writePayloads(&f, s)
	writeEnums(&f, s)
	if err := writeEvents(&f, s, types); err != nil {
		return err
	}
	return f.write("graph/model/schema_gen.go", "model", "strconv", "", "github.com/99designs/gqlgen/graphql")
}

// writeInterfaces marks hand-written types as the interfaces that they implement; gqlgen marks generated types.
func writeInterfaces(f *goFile, s *schema, types modelTypes) {
	for _, def := range s.doc.Definitions {
		name := templates.ToGo(def.Name)
		if def.Kind != gql.Object || !types.declares(name) {
			continue
		}
		for _, parent := range def.Interfaces {
			f.add("// Is%s marks a type of the interface.\nfunc (*%s) Is%s() {}\n", parent, name, parent)
		}
	}
}

func writePayloads(f *goFile, s *schema) {
	for _, def := range s.doc.Definitions {
		if def.Directives.ForName("payload") != nil {
			f.add("// SetUserErrors sets why nothing changed.")
			f.add("func (p *%s) SetUserErrors(list []*UserError) { p.UserErrors = list }\n", templates.ToGo(def.Name))
		}
	}
}
