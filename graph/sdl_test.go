package graph_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"gamedata/graph"
	"gamedata/graph/generated"
)

// The text that the service publishes is schema.graphqls.
func TestSDL(t *testing.T) {
	file, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	if _, text, _ := strings.Cut(string(file), "\n\n"); generated.SDL() != text {
		t.Error("the published text is not schema.graphqls: run make generate")
	}
}

// Tools that know no draft of GraphQL can read the text: it declares @oneOf, and interfaces implement none, which makes
// some generators take them for objects.
func TestSDLIsForEveryTool(t *testing.T) {
	doc, err := parser.ParseSchema(&ast.Source{Input: generated.SDL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, def := range doc.Definitions {
		for _, d := range def.Directives {
			if doc.Directives.ForName(d.Name) == nil && !slices.Contains([]string{"deprecated", "specifiedBy"}, d.Name) {
				t.Errorf("%s has the directive @%s, which is not declared", def.Name, d.Name)
			}
		}
		if def.Kind == ast.Interface && len(def.Interfaces) > 0 {
			t.Errorf("the interface %s implements %v", def.Name, def.Interfaces)
		}
		if def.Description == "" {
			t.Errorf("%s has no description", def.Name)
		}
	}
}

// Everything that may be null says when it is. The fields of Mutation and Subscription end with their operation.
func TestNullSaysWhy(t *testing.T) {
	says := regexp.MustCompile(`(?i)\bnull\b|absent|missing`)
	for _, def := range executor(graph.Options{}).Schema().Types {
		if def.BuiltIn || def.Name == "Mutation" || def.Name == "Subscription" ||
			def.Kind != ast.Object && def.Kind != ast.Interface {
			continue
		}
		for _, f := range def.Fields {
			if !f.Type.NonNull && !strings.HasPrefix(f.Name, "__") && !says.MatchString(f.Description) {
				t.Errorf("%s.%s does not say when it is null", def.Name, f.Name)
			}
		}
	}
}
