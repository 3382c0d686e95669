package apidocs

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"gamedata/rest/openapi"
)

// spec is the OpenAPI document.
type spec struct{ document openapi.Object }

// property is a key of a body, with the keys below it.
type property struct {
	Key, Type, Description string
	Optional               bool
	// Rules are the access rules that can hide it.
	Rules    []string
	Children []property
}

// responseBody is one form of a response's body. A flag may turn an object into a list.
type responseBody struct {
	Type       string
	Properties []property
}

// bodies returns the forms of a body; objects with different keys count as one form.
func (s *spec) bodies(schema openapi.Object) (out []responseBody) {
	forms := map[string][]openapi.Object{}
	list, _ := s.alternatives(schema)
	for _, one := range list {
		name := s.typeOf(one)
		if forms[name] == nil {
			out = append(out, responseBody{Type: name})
		}
		forms[name] = append(forms[name], one)
	}
	for i := range out {
		out[i].Properties = s.properties(forms[out[i].Type]...)
	}
	return out
}

// Text renders the description with its code.
func (p property) Text() template.HTML { return inline(p.Description, nil) }

func (s *spec) resolve(schema openapi.Object) openapi.Object {
	for schema.Text("$ref") != "" {
		schema = s.document.Object(strings.Split(schema.Text("$ref"), "/")[1:]...)
	}
	return schema
}

// alternatives returns the possible schemas of a value, without null.
func (s *spec) alternatives(schema openapi.Object) (out []openapi.Object, null bool) {
	schema = s.resolve(schema)
	anyOf := schema.Objects("anyOf")
	switch {
	case schema == nil:
		return nil, false
	case anyOf == nil && schema.Text("type") == "null":
		return nil, true
	case anyOf == nil:
		return []openapi.Object{schema}, slices.Contains(schema.Texts("type"), "null")
	}
	for _, one := range anyOf {
		more, n := s.alternatives(one)
		out, null = append(out, more...), null || n
	}
	return out, null
}

// typeOf names the type of a value: string, integer, array of string, object or null.
func (s *spec) typeOf(schema openapi.Object) string {
	list, null := s.alternatives(schema)
	var words []string
	for _, one := range list {
		if word := s.plainType(one); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if null {
		words = append(words, "null")
	}
	return strings.Join(words, " or ")
}

func (s *spec) plainType(schema openapi.Object) string {
	prefixItems, items := schema.Objects("prefixItems"), schema.Object("items")
	values := schema.Object("additionalProperties")
	switch {
	case schema.Get("const") != nil:
		return encoded(schema.Get("const"))
	case prefixItems != nil:
		var of []string
		for _, item := range prefixItems {
			of = append(of, s.typeOf(item))
		}
		return "array [" + strings.Join(of, ", ") + "]"
	case items != nil:
		return "array of " + s.typeOf(items)
	case values != nil:
		return "map of " + s.typeOf(values)
	case schema.Text("format") == "date-time":
		return "date and time"
	case schema.Text("format") == "uuid":
		return "uuid"
	}
	return cmp.Or(append(schema.Texts("type"), schema.Text("type"), "value")...)
}

// properties returns the keys of values and of the values nested in them. Values of maps have the key {key}.
func (s *spec) properties(schemas ...openapi.Object) (out []property) {
	for _, schema := range schemas {
		list, _ := s.alternatives(schema)
		for _, one := range list {
			out = s.addProperties(out, one)
		}
	}
	return out
}

func (s *spec) addProperties(out []property, schema openapi.Object) []property {
	if items := schema.Object("items"); items != nil {
		return append(out, s.properties(items)...)
	}
	required := schema.Texts("required")
	for name, value := range schema.Object("properties").All() {
		p := property{
			Key: name, Type: s.typeOf(value), Rules: value.Texts("x-restricted-by"),
			Description: cmp.Or(value.Text("description"), s.resolve(value).Text("description")),
			Optional:    !slices.Contains(required, name), Children: s.properties(value),
		}
		if i := slices.IndexFunc(out, func(have property) bool { return have.Key == name }); i < 0 {
			out = append(out, p)
		} else {
			out[i].Optional = out[i].Optional || p.Optional
		}
	}
	if values := schema.Object("additionalProperties"); values != nil {
		if children := s.properties(values); len(children) > 0 {
			out = append(out, property{Key: "{key}", Type: s.typeOf(values), Children: children})
		}
	}
	return out
}
