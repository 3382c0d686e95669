package graph

import (
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/generated"
)

// A response that contains an object is cached no longer than one of the root field of its type, whatever root field
// it is selected below; and a type with guarded fields depends on the viewer.
func TestHintsOfTypes(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	known := readFacts(schema)
	// longest is the longest time that some path to an object of a type allows.
	longest := map[string]time.Duration{}
	var visit func(string, time.Duration)
	visit = func(name string, age time.Duration) {
		if age <= longest[name] || schema.Types[name].IsLeafType() {
			return
		}
		longest[name] = age
		for _, possible := range schema.GetPossibleTypes(schema.Types[name]) {
			visit(possible.Name, age)
		}
		for _, f := range schema.Types[name].Fields {
			visit(f.Type.Name(), min(age, known.fields[f].hint.maxAge))
		}
	}
	own := map[string]time.Duration{}
	for _, f := range schema.Query.Fields {
		hint := hintOf(f.Directives)
		visit(f.Type.Name(), hint.maxAge)
		own[f.Type.Name()] = max(own[f.Type.Name()], hint.maxAge)
	}
	for name, root := range own {
		def := schema.Types[name]
		for _, f := range def.Fields {
			if age := min(longest[name], known.fields[f].hint.maxAge); def.Kind == ast.Object && age > root {
				t.Errorf("%s.%s is cached for %v, below its root field for %v", name, f.Name, age, root)
			}
		}
	}
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			guarded := f.Directives.ForName("guarded") != nil || f.Name == "restrictions"
			if guarded && def.Kind == ast.Object && known.fields[f].hint.scope != User {
				t.Errorf("%s.%s depends on access rules, but is not USER", def.Name, f.Name)
			}
		}
	}
}
