package graph_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/model"
)

// The committed code is what the schema generates. The test generates it in a copy, so that it does not
// change the tree; `make generate` does.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	dir := t.TempDir()
	for _, pattern := range []string{"go.mod", "go.sum", "gqlgen.yml", "schema.graphqls", "graph/*.go", "graph/*/*.go", "graph/internal/generate/*.go", "internal/cache/*.go"} {
		names, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("nothing to copy for %s: %v", pattern, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, strings.TrimPrefix(name, ".."))
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "./graph/internal/generate")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"generated.go", "model/models_gen.go"} {
		committed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		generated, err := os.ReadFile(filepath.Join(dir, "graph", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(generated, committed) {
			t.Errorf("%s is not what the schema generates: run make generate", name)
		}
	}
}

// Every type, field, argument, input field, enum value and directive of the schema has a description.
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
	for _, d := range schema.Directives {
		if d.Position == nil || d.Position.Src.BuiltIn {
			continue
		}
		want("@"+d.Name, d.Description)
		for _, a := range d.Arguments {
			want("@"+d.Name+"("+a.Name+")", a.Description)
		}
	}
}

// The enums that are stored as texts have the values of the schema.
func TestEnumsOfTheSchema(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for name, e := range model.Enums {
		var want []string
		if def := schema.Types[name]; def != nil {
			for _, v := range def.EnumValues {
				want = append(want, v.Name)
			}
		}
		if !slices.Equal(e.Values, want) {
			t.Errorf("%s has the values %q, in the schema %q", name, e.Values, want)
		}
	}
}
