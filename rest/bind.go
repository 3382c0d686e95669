package rest

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// nowhere stands for a path segment that can be no name and no uuid: it matches nothing, so
// the endpoint answers with its own error (WIRE §1.3).
const nowhere = "\uFFFD"

// segment is the value of a path segment, decoded once.
func segment(encoded string) string {
	s, err := url.PathUnescape(encoded)
	if err != nil || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return nowhere
	}
	return s
}

// Bind reads all variables of a request: those of the path as Match gives them, then the
// query string, then the body.
func (op *Operation) Bind(path map[string]any, rawQuery string, body []byte) (map[string]any, *graph.Error) {
	vars := maps.Clone(path)
	if err := op.bindQuery(rawQuery, vars); err != nil {
		return nil, err
	}
	if def := op.bodyVariable(); def != nil {
		filter, err := op.bindBody(def, body)
		if err != nil {
			return nil, err
		}
		vars[def.Variable] = filter
	}
	return vars, nil
}

// bindQuery reads the variables that neither the path nor the body gives from the query
// string, each by its own name. Unknown parameters are ignored.
func (op *Operation) bindQuery(rawQuery string, vars map[string]any) *graph.Error {
	given := parameters(rawQuery)
	for _, p := range op.parameters {
		if _, bound := vars[p.name]; bound {
			continue
		}
		value, err := p.read(given[p.name])
		if err != nil {
			return err
		}
		if value != nil {
			vars[p.name] = value
		}
	}
	return nil
}

// parameters splits a query string. A name that does not decode is nobody's; a value that
// does not becomes one that no parameter takes.
func parameters(rawQuery string) map[string][]string {
	if rawQuery == "" {
		return nil
	}
	out := map[string][]string{}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || name == "" {
			continue
		}
		if value, err = url.QueryUnescape(value); err != nil || !utf8.ValidString(value) || strings.ContainsFunc(value,
			unicode.IsControl) {
			value = nowhere
		}
		out[name] = append(out[name], value)
	}
	return out
}

// isBody reports whether a variable is the JSON body: an input object.
func (op *Operation) isBody(def *ast.VariableDefinition) bool {
	t := op.schema.Types[def.Type.Name()]
	return t != nil && t.Kind == ast.InputObject
}

// bodyVariable is the variable that takes the body, or nil.
func (op *Operation) bodyVariable() *ast.VariableDefinition {
	for _, def := range op.def.VariableDefinitions {
		if op.isBody(def) {
			return def
		}
	}
	return nil
}

// bindBody reads a JSON body into an input object of lists (WIRE-CONTENT §7.9, §8.2): a key
// takes one value or an array of them, or null; keys it does not know are ignored.
func (op *Operation) bindBody(def *ast.VariableDefinition, body []byte) (map[string]any, *graph.Error) {
	out := map[string]any{}
	if len(body) == 0 {
		return out, nil
	}
	root, err := parse(body)
	if err != nil || root.delim != '{' {
		return nil, graph.ErrMalformedPayload
	}
	for _, f := range op.schema.Types[def.Type.Name()].Fields {
		n := root.get(f.Name)
		if n == nil || n.null() {
			continue
		}
		values := []*node{n}
		if n.delim == '[' {
			values = n.items
		}
		list := make([]any, len(values))
		for i, v := range values {
			if list[i] = filterValue(v, f.Type.Name()); list[i] == nil {
				return nil, wrongFilter(f)
			}
		}
		if len(list) > maxFilterValues {
			return nil, graph.Errorf(graph.InvalidForm, "%s must hold at most %d values.", f.Name, maxFilterValues)
		}
		out[f.Name] = list
	}
	return out, nil
}

// maxFilterValues bounds the values of one filter.
const maxFilterValues = 200

// filterValue is a value of a filter, or nil when it has another type.
func filterValue(n *node, typ string) any {
	switch v := n.value.(type) {
	case string:
		if typ == "String" {
			return v
		}
	case json.Number:
		if num, ok := wholeNumber(v.String()); ok && typ == "Int" {
			return num
		}
	}
	return nil
}

func wrongFilter(f *ast.FieldDefinition) *graph.Error {
	if f.Type.Name() == "Int" {
		return graph.Errorf(graph.InvalidForm, "%s must be one or two integers.", f.Name)
	}
	return graph.Errorf(graph.InvalidForm, "%s must be a text or a list of texts.", f.Name)
}
