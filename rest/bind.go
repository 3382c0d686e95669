package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// invalidSegment replaces a path segment or parameter that cannot be decoded. It matches no name and
// no uuid, so the endpoint responds with its own error.
const invalidSegment = "\uFFFD"

// segment decodes a path segment once.
func segment(encoded string) string { return decoded(url.PathUnescape(encoded)) }

// decoded returns a decoded value, or invalidSegment if it is invalid.
func decoded(s string, err error) string {
	if err != nil || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return invalidSegment
	}
	return s
}

// Bind returns all variables of a request: the path variables given, and the variables from the query string and the
// body.
func (op *Operation) Bind(path map[string]any, rawQuery string, body []byte) (map[string]any, *graph.Error) {
	vars := maps.Clone(path)
	if err := op.bindQuery(rawQuery, vars); err != nil {
		return nil, err
	}
	if op.body != nil {
		filter, err := op.bindBody(body)
		if err != nil {
			return nil, err
		}
		vars[op.body.Variable] = filter
	}
	return vars, nil
}

// bindQuery sets the remaining variables from the query parameters with the same names. It ignores unknown parameters.
func (op *Operation) bindQuery(rawQuery string, vars map[string]any) *graph.Error {
	sent := parseQuery(rawQuery)
	for _, p := range op.parameters {
		if text, bound := vars[p.name].(string); bound {
			value, err := p.segment(text)
			if err != nil {
				return err
			}
			vars[p.name] = value
			if value == nil {
				delete(vars, p.name)
			}
			continue
		}
		value, err := p.query(sent[p.name])
		if err != nil {
			return err
		}
		if value != nil {
			vars[p.name] = value
		}
	}
	for _, p := range op.parameters {
		if p.flag != "" && vars[p.flag] == true {
			vars[p.name] = p.whenFlag
		}
	}
	return nil
}

// parseQuery parses a query string. It skips names that cannot be decoded, and replaces such values with
// invalidSegment.
func parseQuery(rawQuery string) map[string][]string {
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
		out[name] = append(out[name], decoded(url.QueryUnescape(value)))
	}
	return out
}

// bindBody reads a JSON body into an input object of lists. A member is one value, a list of values or null. Unknown
// members are ignored.
func (op *Operation) bindBody(body []byte) (map[string]any, *graph.Error) {
	out := map[string]any{}
	if len(body) == 0 {
		return out, nil
	}
	members, ok := readObject(body)
	if !ok {
		return nil, graph.ErrMalformedPayload
	}
	for _, f := range op.body.Definition.Fields {
		value := members[f.Name]
		if value == nil {
			continue
		}
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = filterValue(v, f.Type.Name())
			if list[i] == nil {
				return nil, errFilter(f)
			}
		}
		if len(list) > maxFilterValues {
			return nil, graph.Errorf(graph.InvalidForm, "%s must hold at most %d values.", f.Name, maxFilterValues)
		}
		out[f.Name] = list
	}
	return out, nil
}

// readObject decodes a JSON object; numbers become json.Number. ok is false for anything else, and for duplicate names,
// which encoding/json accepts. Reading the body has already checked its encoding.
func readObject(body []byte) (members map[string]any, ok bool) {
	value := jsontext.Value(body)
	if value.Kind() != '{' || !value.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	return members, dec.Decode(&members) == nil
}

// maxFilterValues is the maximum number of values in one filter.
const maxFilterValues = 200

// filterValue converts the value of a filter to its type, or returns nil if the value has another type.
func filterValue(value any, typ string) any {
	switch v := value.(type) {
	case string:
		if typ == "String" {
			return v
		}
	case json.Number:
		if n, ok := parseInt32(v.String()); ok && typ == "Int" {
			return n
		}
	}
	return nil
}

// errFilter reports a value of the wrong type.
func errFilter(f *ast.FieldDefinition) *graph.Error {
	if f.Type.Name() == "Int" {
		return graph.Errorf(graph.InvalidForm, "%s must be one or two integers.", f.Name)
	}
	return graph.Errorf(graph.InvalidForm, "%s must be a text or a list of texts.", f.Name)
}
