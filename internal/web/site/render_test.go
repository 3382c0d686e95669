package site

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// Every page and picture can be made whatever is null in the data of its operation: hidden, unknown, or not read while
// the store fails.
func TestPagesWithNulls(t *testing.T) {
	s := testSite(t)
	for _, p := range s.pages {
		t.Run(p.operation, func(t *testing.T) {
			data := leastData(p.op.Def.SelectionSet)
			about, _ := p.op.Def.SelectionSet[0].(*ast.Field)
			data[about.Alias] = leastData(about.SelectionSet)
			if about.Definition.Type.Elem != nil {
				data[about.Alias] = []any{data[about.Alias]}
			}
			text, err := json.Marshal(data)
			if err != nil {
				t.Fatal(err)
			}
			c := &renderContext{site: s, page: p, request: request{map[string]any{}, url.Values{}}, data: text}
			if bad := p.show(c); bad != nil || c.Body == nil {
				return // an error page, or a list for a script
			}
			if _, err := s.templates.Render(p.operation, c); err != nil {
				t.Error(err)
			}
			if p.card {
				c.card()
			}
		})
	}
}

// leastData returns what a selection has at least: null where the schema allows it, and lists of one element.
func leastData(set ast.SelectionSet) map[string]any {
	out := map[string]any{}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			out[s.Alias] = leastValue(s, s.Definition.Type)
		case *ast.FragmentSpread:
			for key, value := range leastData(s.Definition.SelectionSet) {
				out[key] = value
			}
		}
	}
	return out
}

func leastValue(f *ast.Field, of *ast.Type) any {
	switch {
	case !of.NonNull:
		return nil
	case of.Elem != nil:
		return []any{leastValue(f, of.Elem)}
	case len(f.SelectionSet) > 0:
		return leastData(f.SelectionSet)
	}
	switch of.NamedType {
	case "Boolean":
		return false
	case "Int", "Int64", "Float":
		return 0
	case "DateTime":
		return "2026-01-01T00:00:00Z"
	}
	return "A"
}
