package graph_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/internal/slowtest"
)

// The committed files are what the sections of the schema generate. The test generates them in a copy, without those
// that are committed, so that it does not change the tree; `make generate` does.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	slowtest.Only(t)
	committed, dir := map[string][]byte{}, t.TempDir()
	for _, pattern := range []string{
		"go.mod", "go.sum", "gqlgen.yml", "schema.graphqls", "graph/*.go", "graph/*/*.go",
		"graph/schema/*", "resolvers/*.go", "internal/cache/*.go", "client/ts/src/*.ts",
	} {
		for name, text := range readFiles(t, "..", pattern) {
			if isGenerated(text) {
				committed[name] = text
			} else {
				writeFile(t, filepath.Join(dir, name), text)
			}
		}
	}
	command := filepath.Join(t.TempDir(), "generate")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", command, "./internal/generate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	generated := map[string][]byte{}
	for _, pattern := range []string{
		"schema.graphqls", "graph/*.go", "graph/*/*.go", "resolvers/*.go", "client/ts/src/*.ts",
	} {
		maps.Copy(generated, readFiles(t, dir, pattern))
	}
	maps.DeleteFunc(generated, func(_ string, text []byte) bool { return !isGenerated(text) })
	if got, want := slices.Sorted(maps.Keys(committed)), slices.Sorted(maps.Keys(generated)); !slices.Equal(got, want) {
		t.Errorf("committed are %q, generated are %q", got, want)
	}
	for name, text := range generated {
		if !bytes.Equal(committed[name], text) {
			t.Errorf("%s is not what the schema generates: run make generate", name)
		}
	}
}

// readFiles returns the files of a directory that match a pattern, by their paths in it. Tests are left out.
func readFiles(t *testing.T, dir, pattern string) map[string][]byte {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("nothing matches %s: %v", pattern, err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = text
	}
	return out
}

func writeFile(t *testing.T, path string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func isGenerated(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(line, []byte("Code generated")) && bytes.HasSuffix(line, []byte("DO NOT EDIT."))
}

// Every type, field, argument, input field, enum value and directive of the schema has a description.
func TestSchemaIsDescribed(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
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
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
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
