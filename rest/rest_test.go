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

// What Unshape reads, Shape writes again: equal as JSON, and with the entries of maps in
// their order, which carries meaning in ability trees.
func TestRecordedBodiesRoundTrip(t *testing.T) {
	ops := load(t)
	for _, file := range recorded(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			name, vars, err := OperationForFile(filepath.Base(file))
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
			unalias(op.root)
			var out bytes.Buffer
			if _, err := op.Shape(&out, json.RawMessage(`{"`+op.root.name+`":`+string(data)+`}`), vars); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(decoded(t, body), decoded(t, out.Bytes())); d != "" {
				t.Error(d[:min(len(d), 2000)])
			}
			want, err := parse(body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := parse(out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			names := namesInOrder(op.root, want)
			if maps := map[string]int{
				"AbilityTree": 90, "RecipeDatabase": 1000, "Aspects": 50,
				"ItemSets": 100,
			}; len(names) < maps[name] {
				t.Errorf("only %d entries of maps are compared", len(names))
			}
			if d := cmp.Diff(names, namesInOrder(op.root, got)); d != "" {
				t.Errorf("the entries of maps stand in another order: %s", d[:min(len(d), 2000)])
			}
		})
	}
}

// namesInOrder lists the names of all entries of all maps in a body.
func namesInOrder(f *field, n *node) []string {
	if f.pick != nil && n.delim == '[' {
		return namesInOrder(f.child(f.pick.field), n)
	}
	var out []string
	for i, v := range n.items {
		switch {
		case n.delim == '[':
			out = append(out, namesInOrder(f, v)...)
		case f.keyBy == nil:
			for _, c := range f.children {
				if c.out == n.keys[i] {
					out = append(out, namesInOrder(c, v)...)
				}
			}
		default:
			out = append(out, n.keys[i])
			for _, c := range f.children {
				if c.out == f.keyBy.value {
					out = append(out, namesInOrder(c, v)...)
				} else if v.delim == '{' && v.get(c.out) != nil {
					out = append(out, namesInOrder(c, v.get(c.out))...)
				}
			}
		}
	}
	return out
}

// unalias makes a plan read data under the schema's own names, as Unshape gives it.
func unalias(f *field) {
	f.name = f.field.Name
	for _, c := range f.children {
		unalias(c)
	}
}

func TestOperationForFile(t *testing.T) {
	for _, c := range []struct {
		file, operation string
		vars            map[string]any
	}{
		{"ability-tree-archer.json", "AbilityTree", map[string]any{"tree": "archer"}},
		{"ability-map-mage.json", "AbilityMap", map[string]any{"tree": "mage"}},
		{"aspects-mage.json", "Aspects", map[string]any{"tree": "mage"}},
		{"item-recipe-database-full_result.json", "RecipeDatabase", map[string]any{"full_result": true}},
		{"item-recipe-database-fullResult.json", "RecipeDatabase", map[string]any{}},
		{"item-recipe-search-post.json", "RecipeSearch", map[string]any{}},
		{"item-search-post-fullResult-materials.json", "ItemSearch", map[string]any{"fullResult": true}},
		{"item-database-fullResult.json", "ItemDatabase", map[string]any{"fullResult": true}},
		{"item-database-2026-03.json", "ItemDatabase", map[string]any{}},
		{"item-search-moss.json", "ItemsByName", map[string]any{"query": "moss"}},
		{"item-sets.json", "ItemSets", map[string]any{}},
		{"item-metadata-static.json", "ItemMetadata", map[string]any{"static": true}},
		{"map-gathering-nodes.json", "GatheringNodes", map[string]any{}},
		{"map-world-events-2026-03.json", "WorldEvents", map[string]any{}},
		{"map-locations-markers.json", "MapMarkers", map[string]any{}},
		{"guild-list-territory.json", "Territories", map[string]any{}},
		{"classes-archer.json", "Class", map[string]any{"class_name": "archer"}},
		{"classes.json", "Classes", map[string]any{}},
		{"player.json", "OnlinePlayers", map[string]any{}},
		{"player-whoami.json", "Whoami", map[string]any{}},
		{"player-Salted-fullResult.json", "Player", map[string]any{"username": "Salted", "fullResult": true}},
		{"player-Salted-characters.json", "PlayerCharacters", map[string]any{"username": "Salted"}},
		{
			"player-3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c-fullResult.json", "Player",
			map[string]any{"username": "3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c", "fullResult": true},
		},
		{
			"player-Salted-characters-6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70-abilities.json", "CharacterAbilities",
			map[string]any{"username": "Salted", "uuid": "6c1f0b528f3e4d0ab7a12e9c4d5f6a70"},
		},
	} {
		operation, vars, err := OperationForFile(c.file)
		if d := cmp.Diff(c.vars, vars); err != nil || operation != c.operation || d != "" {
			t.Errorf("%s is taken for %q (%v), want %q %s", c.file, operation, err, c.operation, d)
		}
	}
	for _, file := range []string{
		"map-gathering.json", "map-nodes.json", "notes.json", ".json", "ability-tree.json",
		"aspects-.json", "item-search.json",
	} {
		if op, _, err := OperationForFile(file); err == nil {
			t.Errorf("%s is taken for %s", file, op)
		}
	}
}
