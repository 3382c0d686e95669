package rest

import (
	"fmt"
	"strings"
)

// Row is one documented endpoint: a method and a path, answered by a fixed operation.
type Row struct{ Method, Path, Operation string }

// Rows is the whole surface under /v3. Fixed paths stand before the variable ones they
// would match.
var Rows = []Row{
	{"GET", "/player", "OnlinePlayers"},
	{"GET", "/player/whoami", "Whoami"},
	{"GET", "/player/{username}", "Player"},
	{"GET", "/player/{username}/characters", "PlayerCharacters"},
	{"GET", "/player/{username}/characters/{uuid}", "Character"},
	{"GET", "/player/{username}/characters/{uuid}/abilities", "CharacterAbilities"},

	{"GET", "/item/database", "ItemDatabase"},
	{"POST", "/item/search", "ItemSearch"},
	{"GET", "/item/search/{query}", "ItemsByName"},
	{"GET", "/item/recipe/database", "RecipeDatabase"},
	{"POST", "/item/recipe/search", "RecipeSearch"},
	{"GET", "/item/metadata", "ItemMetadata"},
	{"GET", "/item/sets", "ItemSets"},

	{"GET", "/ability/tree/{tree}", "AbilityTree"},
	{"GET", "/ability/map/{tree}", "AbilityMap"},
	{"GET", "/aspects/{tree}", "Aspects"},
	{"GET", "/classes", "Classes"},
	{"GET", "/classes/{class_name}", "Class"},
}

// OperationForFile tells which operation a recorded body belongs to, and the variables it
// was asked with, by the name of its file: the endpoint's path with `-` for `/`, then
// anything. `ability-tree-archer.json` is AbilityTree with tree archer;
// `item-search-post-fullResult-tomes.json` is ItemSearch.
func OperationForFile(name string) (operation string, vars map[string]any, err error) {
	words := strings.Split(strings.TrimSuffix(name, ".json"), "-")
	best := -1
	for _, row := range Rows {
		steps := strings.Split(strings.Trim(row.Path, "/"), "/")
		found, ok := matchWords(steps, words)
		// The variant that names its method wins over the one of another method.
		weight := 2*len(steps) + boolInt(len(words) > len(steps) && strings.EqualFold(words[len(steps)], row.Method))
		if row.Method == "POST" && weight%2 == 0 {
			ok = false
		}
		if row.Method == "GET" && len(words) > len(steps)-1 && len(steps) > 0 && strings.HasPrefix(steps[len(steps)-1], "{") && strings.EqualFold(words[len(steps)-1], "post") {
			ok = false
		}
		if ok && weight > best {
			best, operation, vars = weight, row.Operation, found
		}
	}
	if best < 0 {
		return "", nil, fmt.Errorf("%s: no endpoint has a path of this name", name)
	}
	return operation, vars, nil
}

func matchWords(steps, words []string) (map[string]any, bool) {
	vars := map[string]any{}
	if len(words) < len(steps) {
		return nil, false
	}
	for i, step := range steps {
		if variable, ok := strings.CutPrefix(step, "{"); ok {
			vars[strings.TrimSuffix(variable, "}")] = words[i]
		} else if step != words[i] {
			return nil, false
		}
	}
	return vars, true
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
