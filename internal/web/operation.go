package web

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"gamedata/graph"
)

// Operation is a fixed GraphQL operation that a page runs.
type Operation struct {
	*graph.Operation
	Document string // text of its file
}

// LoadOperations reads operations/NAME.graphql of a package, by name, and checks them against the schema.
func LoadOperations(exec *graph.Executor, files fs.FS) (map[string]Operation, error) {
	names, err := fs.Glob(files, "operations/*.graphql")
	if err != nil {
		return nil, err
	}
	out := map[string]Operation{}
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(path.Base(file), ".graphql")
		op, problems := exec.Parse(string(text), name)
		if len(problems) > 0 {
			return nil, fmt.Errorf("operation %s: %w", name, problems)
		}
		out[name] = Operation{op, string(text)}
	}
	return out, nil
}

// Bind returns the variables of an operation from the values with their names: a Boolean is true
// when its value is not empty, a list has the words of all values, anything else is the first value.
func Bind(op Operation, values url.Values) map[string]any {
	out := map[string]any{}
	for _, v := range op.Def.VariableDefinitions {
		switch {
		case v.Type.Elem != nil:
			words := []any{}
			for _, s := range values[v.Variable] {
				for _, w := range strings.Fields(s) {
					words = append(words, w)
				}
			}
			out[v.Variable] = words
		case v.Type.NamedType == "Boolean":
			out[v.Variable] = values.Get(v.Variable) != ""
		default:
			out[v.Variable] = values.Get(v.Variable)
		}
	}
	return out
}
