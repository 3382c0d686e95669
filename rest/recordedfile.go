package rest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

var dashed = regexp.MustCompile(`([0-9A-Fa-f]{8})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{12})`)

// OperationForFile derives the operation and the request variables of a recorded body from its file name: the
// endpoint's path with `-` for `/`, `post` for a recorded POST, flags, then anything. `ability-tree-archer.json` is
// AbilityTree with tree archer; `item-search-post-fullResult-tomes.json` is ItemSearch with fullResult. It ignores
// everything after a character that no path contains: `ability-tree-archer (1).json`.
func OperationForFile(name string) (operation string, vars map[string]any, err error) {
	path := name
	if i := strings.IndexFunc(name, notInPath); i >= 0 {
		path = name[:i]
	}
	words := strings.Split(dashed.ReplaceAllString(path, "$1$2$3$4$5"), "-")
	longest := 0
	for _, row := range Rows {
		if row.Operation == "" {
			continue // its response is a secret
		}
		path := strings.FieldsFunc(row.Path, func(r rune) bool { return r == '/' || r == '-' })
		if len(path) <= longest || len(path) > len(words) {
			continue
		}
		// A variable of a GET can be in the place of `post`.
		posted := len(words) > len(path) && post(words[len(path)])
		found, ok := matchWords(path, words)
		if ok && posted == (row.Method == http.MethodPost) && !post(words[len(path)-1]) {
			longest, operation, vars = len(path), row.Operation, found
		}
	}
	if longest == 0 {
		return "", nil, fmt.Errorf("%q: no endpoint has this path", name)
	}
	known := flags(operation)
	for _, word := range words[longest:] {
		if slices.Contains(known, word) {
			vars[word] = true
		}
	}
	return operation, vars, nil
}

// notInPath reports whether no path of an endpoint contains a character.
func notInPath(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	return !letter && (r < '0' || '9' < r) && !strings.ContainsRune("-_~%", r)
}

func post(word string) bool { return strings.EqualFold(word, http.MethodPost) }

func matchWords(steps, words []string) (map[string]any, bool) {
	vars := map[string]any{}
	for i, step := range steps {
		if variable, ok := strings.CutPrefix(step, "{"); ok && words[i] != "" {
			vars[strings.TrimSuffix(variable, "}")] = words[i]
		} else if step != words[i] {
			return nil, false
		}
	}
	return vars, true
}

func flags(operation string) (out []string) {
	doc, _ := parser.ParseQuery(&ast.Source{Input: source(operation)}) // Load compiles it too
	for _, v := range doc.Operations[0].VariableDefinitions {
		if v.Type.Name() == "Boolean" {
			out = append(out, v.Variable)
		}
	}
	return out
}
