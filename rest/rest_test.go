package rest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
)

func load(t testing.TB) map[string]*Operation {
	t.Helper()
	ops, err := Load(graph.NewExecutableSchema(graph.Config{}).Schema())
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// Every row has an operation that fits the schema, and every operation a row.
func TestRowsAndOperations(t *testing.T) {
	ops := load(t)
	files, err := operations.ReadDir("operations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".graphql"); ok && ops[name] == nil {
			t.Errorf("%s has no row", f.Name())
		}
	}
	for name, op := range ops {
		if strings.Contains(op.Document(), "@keyBy") || strings.Contains(op.Document(), "Identifier") {
			t.Errorf("%s: the public document shows the adapter's directives:\n%s", name, op.Document())
		}
	}
}

// recorded gives the recorded bodies, or skips.
func recorded(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../shared/data/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no recorded content in ../shared/data: nothing to read back")
	}
	return files
}

// What Unshape reads, Shape writes again: equal as JSON, and with the keys of ability trees
// in their order, which carries meaning.
func TestRecordedBodiesRoundTrip(t *testing.T) {
	ops := load(t)
	for _, file := range recorded(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			name, vars, err := OperationForFile(filepath.Base(file))
			if strings.HasPrefix(filepath.Base(file), "map-") {
				if err == nil {
					t.Fatalf("taken for %s", name)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			op := ops[name]
			data, err := op.Unshape(body, vars)
			if err != nil {
				t.Fatal(err)
			}
			vars["fullResult"], vars["full_result"] = true, true
			unalias(op.root)
			var out bytes.Buffer
			if err := op.Shape(&out, json.RawMessage(`{"`+op.root.name+`":`+string(data)+`}`), vars); err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(body, &want); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d[:min(len(d), 2000)])
			}
		})
	}
}

// unalias makes a plan read data under the schema's own names, as Unshape gives it.
func unalias(f *field) {
	f.name = f.field.Name
	for _, c := range f.children {
		unalias(c)
	}
}

func TestOperationForFile(t *testing.T) {
	for file, want := range map[string]string{
		"ability-tree-archer.json":                   "AbilityTree archer",
		"ability-map-mage.json":                      "AbilityMap mage",
		"aspects-mage.json":                          "Aspects mage",
		"item-recipe-database-full_result.json":      "RecipeDatabase",
		"item-recipe-search-post.json":               "RecipeSearch",
		"item-search-post-fullResult-materials.json": "ItemSearch",
		"item-database-fullResult.json":              "ItemDatabase",
		"item-search-moss.json":                      "ItemsByName",
		"item-sets.json":                             "ItemSets",
		"item-metadata-static.json":                  "ItemMetadata",
		"classes-archer.json":                        "Class",
		"classes.json":                               "Classes",
		"player-Salted-fullResult.json":              "Player",
		"player-Salted-characters.json":              "PlayerCharacters",
	} {
		op, vars, err := OperationForFile(file)
		if tree, ok := vars["tree"].(string); ok {
			op += " " + tree
		}
		if err != nil || op != want {
			t.Errorf("%s is taken for %q (%v), want %q", file, op, err, want)
		}
	}
	for _, file := range []string{"map-gathering-nodes.json", "notes.json", ".json"} {
		if op, _, err := OperationForFile(file); err == nil {
			t.Errorf("%s is taken for %s", file, op)
		}
	}
}
