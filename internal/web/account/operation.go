package account

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	"gamedata/graph"
)

// loadOperations reads the fixed operations that pages run, by name. One that does not fit the
// schema is an error.
func loadOperations(exec *graph.Executor) (map[string]*graph.Operation, error) {
	entries, err := files.ReadDir("operations")
	if err != nil {
		return nil, err
	}
	out := map[string]*graph.Operation{}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		text, err := files.ReadFile("operations/" + e.Name())
		if err != nil {
			return nil, err
		}
		op, problems := exec.Parse(string(text), name)
		if len(problems) > 0 {
			return nil, fmt.Errorf("operation %s: %w", name, problems)
		}
		out[name] = op
	}
	return out, nil
}

// bind fills the variables of an operation from the fields of a form that have their names: a
// Boolean is true when its field holds anything, a list has the words of all its fields.
func bind(op *graph.Operation, form url.Values) map[string]any {
	out := map[string]any{}
	for _, v := range op.Def.VariableDefinitions {
		given := form[v.Variable]
		switch {
		case v.Type.Elem != nil:
			words := []any{}
			for _, s := range given {
				for _, w := range strings.Fields(s) {
					words = append(words, w)
				}
			}
			out[v.Variable] = words
		case v.Type.NamedType == "Boolean":
			out[v.Variable] = form.Get(v.Variable) != ""
		default:
			out[v.Variable] = form.Get(v.Variable)
		}
	}
	return out
}

// run runs an operation as whoever is signed in and reads its answer; a refusal comes back as
// GraphQL tells it.
func (p *Pages) run(ctx context.Context, operation string, variables map[string]any, into any) *graph.Error {
	response := p.exec.Run(ctx, p.operations[operation], variables)
	if len(response.Errors) > 0 {
		return graph.ErrorOf(response.Errors[0])
	}
	if err := json.Unmarshal(response.Data, into); err != nil {
		p.o.Log.Error("page", "operation", operation, "error", err)
		return graph.ErrInternal
	}
	return nil
}
