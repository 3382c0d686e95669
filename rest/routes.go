package rest

import (
	"fmt"
	"net/http"
	"slices"
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

// steps are the segments of each row's path.
var steps = func() [][]string {
	out := make([][]string, len(Rows))
	for i, row := range Rows {
		out[i] = strings.Split(row.Path, "/")
	}
	return out
}()

// match finds the first row of an encoded path and the variables of the path, each decoded
// once; -1 when the path is unknown. Paths are compared as they were sent: `//`, `..`, a
// slash at the end and encoded slashes are neither cleaned nor redirected.
func match(path string) (int, map[string]any) {
	path, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return -1, nil
	}
	segments := strings.Split(path, "/")
	for i, want := range steps {
		if fits := slices.EqualFunc(want, segments, func(step, s string) bool {
			return step == s || strings.HasPrefix(step, "{") && s != ""
		}); !fits {
			continue
		}
		vars := map[string]any{}
		for n, step := range want {
			if name, ok := strings.CutPrefix(step, "{"); ok {
				vars[strings.TrimSuffix(name, "}")] = segment(segments[n])
			}
		}
		return i, vars
	}
	return -1, nil
}

// Match finds the row that a method and an encoded path belong to, and the variables of the
// path.
func Match(method, path string) (Row, map[string]any, bool) {
	i, vars := match(path)
	if i < 0 || !Rows[i].serves(method) {
		return Row{}, nil, false
	}
	return Rows[i], vars, true
}

// OperationForFile tells which operation a recorded body belongs to, and the variables it
// was asked with, by the name of its file: the endpoint's path with `-` for `/`, then
// anything. `ability-tree-archer.json` is AbilityTree with tree archer;
// `item-search-post-fullResult-tomes.json` is ItemSearch.
func OperationForFile(name string) (operation string, vars map[string]any, err error) {
	words := strings.Split(strings.TrimSuffix(name, ".json"), "-")
	longest := 0
	for i, row := range Rows {
		// The first step is the empty one before the first slash.
		path := steps[i][1:]
		found, ok := matchWords(path, words)
		// A recorded POST says so behind its path, where a GET may have a variable.
		rest := words[min(len(path), len(words)):]
		if posted := len(rest) > 0 && strings.EqualFold(rest[0], http.MethodPost); ok && posted != (row.Method == http.MethodPost) {
			ok = false
		}
		if ok && strings.EqualFold(words[len(path)-1], http.MethodPost) {
			ok = false
		}
		if ok && len(path) > longest {
			longest, operation, vars = len(path), row.Operation, found
		}
	}
	if longest == 0 {
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
