package graph_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// The committed code is what the schema generates. When it is not, the test brings it up to
// date, as `make generate` does, and fails.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	before := map[string][]byte{"generated.go": nil, "model/models_gen.go": nil}
	for name := range before {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = text
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "gqlgen", "generate")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range before {
		after, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(after, text) {
			t.Errorf("%s was not what the schema generates", name)
		}
	}
}

// Every type, field, argument, input field and enum value of ours is described.
func TestSchemaIsDescribed(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	want := func(where, description string) {
		if strings.TrimSpace(description) == "" {
			t.Errorf("%s has no description", where)
		}
	}
	for _, d := range schema.Types {
		if d.BuiltIn || strings.HasPrefix(d.Name, "__") {
			continue
		}
		if d.Kind != ast.Object || d != schema.Query {
			want(d.Name, d.Description)
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			want(d.Name+"."+f.Name, f.Description)
			for _, a := range f.Arguments {
				want(d.Name+"."+f.Name+"("+a.Name+")", a.Description)
			}
		}
		for _, v := range d.EnumValues {
			want(d.Name+"."+v.Name, v.Description)
		}
	}
}
