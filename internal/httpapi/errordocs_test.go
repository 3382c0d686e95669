package httpapi_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	schema "github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/httpapi"
)

var update = flag.Bool("update", false, "rewrite docs/errors.md")

// docs/errors.md lists the codes of the schema with their statuses; -update rewrites its tables.
func TestErrorDocs(t *testing.T) {
	const path = "../../docs/errors.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	types := generated.NewExecutableSchema(generated.Config{}).Schema().Types
	table := func(enum, head string, status bool) string {
		var b strings.Builder
		b.WriteString(head)
		for _, v := range types[enum].EnumValues {
			if n, _ := httpapi.Status(graph.Code(v.Name)); status {
				fmt.Fprintf(&b, "| `%s` | %d | %s |\n", v.Name, n, strings.Join(strings.Fields(v.Description), " "))
			} else {
				fmt.Fprintf(&b, "| `%s` | %s |\n", v.Name, strings.Join(strings.Fields(v.Description), " "))
			}
		}
		return b.String()
	}
	out := string(text)
	for _, want := range []string{
		table("ErrorCode", "| code | status | meaning |\n|---|---|---|\n", true),
		table("UserErrorCode", "| code | meaning |\n|---|---|\n", false),
	} {
		head := regexp.MustCompile(`^(?:.*\n){2}`).FindString(want)
		if strings.Count(out, head) != 1 {
			t.Fatalf("%s has no single table %q", path, head)
		}
		before, rows, _ := strings.Cut(out, head)
		out = before + want + regexp.MustCompile(`^(?:\|.*\n)*`).ReplaceAllString(rows, "")
	}
	if out == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date: run go test ./internal/httpapi -run TestErrorDocs -update", path)
	}
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The schema lists every code of graph/errors.go, but codes of REST only and of requests that no endpoint sees.
func TestErrorCodesOfSchema(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../graph/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		if typ, ok := v.Type.(*ast.Ident); !ok || typ.Name != "Code" {
			return true
		}
		code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, code)
		return true
	})
	unseen := []graph.Code{
		graph.NoCharacterFound, graph.InvalidCharacterUUID, graph.InvalidTree, graph.InvalidLeaderboardType,
	}
	want = slices.DeleteFunc(want, func(c string) bool { return slices.Contains(unseen, graph.Code(c)) })
	types := generated.NewExecutableSchema(generated.Config{}).Schema().Types
	have := valuesOf(types["ErrorCode"])
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("the schema has the codes %q, graph/errors.go %q", have, want)
	}
	// Descriptions name codes that exist.
	for _, def := range types {
		for _, f := range def.Fields {
			for kind, known := range map[string][]string{"User errors:": valuesOf(types["UserErrorCode"]), "Errors:": have} {
				_, list, _ := strings.Cut(f.Description, kind)
				for _, code := range regexp.MustCompile(`\b[A-Z]{3,}(?:_[A-Z]+)+\b`).FindAllString(list, -1) {
					if !slices.Contains(known, code) {
						t.Errorf("%s.%s names the unknown code %s", def.Name, f.Name, code)
					}
				}
			}
		}
	}
}

func valuesOf(def *schema.Definition) (names []string) {
	for _, v := range def.EnumValues {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return names
}
