package rest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/generated"
)

func load() map[string]*Operation {
	return Load(generated.NewExecutableSchema(generated.Config{}).Schema())
}

// Every row has a valid operation, and every operation has a row.
func TestRowsAndOperations(t *testing.T) {
	ops := load()
	files, err := operations.ReadDir("operations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".graphql"); ok && ops[name] == nil {
			t.Errorf("%s: no row uses it", f.Name())
		}
	}
	for name, op := range ops {
		if _, more := op.About(); more == "" {
			t.Errorf("%s: its comment has one sentence and no description", name)
		}
		errors := op.Rejections()
		for _, v := range op.Definition().VariableDefinitions {
			if d := v.Directives.ForName("unknown"); d != nil {
				errors = append(errors, d.Arguments.ForName("error").Value.Raw)
				if v.Definition.Kind != ast.Enum {
					t.Errorf("%s: $%s has @unknown and is no enum", name, v.Variable)
				}
			}
		}
		for _, e := range errors {
			if rejections[e] == nil {
				t.Errorf("%s: %s is no error", name, e)
			}
		}
		if strings.Contains(op.Document(), "@keyBy") || strings.Contains(op.Document(), "Identifier") {
			t.Errorf("%s: the public document contains our directives:\n%s", name, op.Document())
		}
	}
}

func TestOperationForFile(t *testing.T) {
	for _, c := range []struct {
		file, operation string
		vars            map[string]any
	}{
		{"ability-tree-archer.json", "AbilityTree", map[string]any{"tree": "archer"}},
		{"ability-tree-archer (1).json", "AbilityTree", map[string]any{"tree": "archer"}},
		{"ability-tree-archer.backup-fullResult.json", "AbilityTree", map[string]any{"tree": "archer"}},
		{"item-sets copy.json", "ItemSets", map[string]any{}},
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
			t.Errorf("%s: got %q (%v), want %q %s", c.file, operation, err, c.operation, d)
		}
	}
	for _, file := range []string{
		"map-gathering.json", "map-nodes.json", "notes.json", ".json", "ability-tree.json",
		"aspects-.json", "item-search.json", "aspects-(1).json",
	} {
		if op, _, err := OperationForFile(file); err == nil {
			t.Errorf("%s: got %s, want an error", file, op)
		}
	}
}
