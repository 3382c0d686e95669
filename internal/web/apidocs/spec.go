package apidocs

import (
	"bytes"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
)

// spec holds the parts of the OpenAPI document that the reference uses.
type spec struct {
	Paths ordered[ordered[*specOperation]]

	Components struct {
		Schemas map[string]*schema
		Headers ordered[struct{ Description string }]
	}
}

type specOperation struct {
	Summary, Description string
	RequestBody          *struct {
		Content ordered[specContent]
	}
	Responses ordered[specResponse]
	Security  []map[string]any
}

type specResponse struct {
	Description string
	Content     ordered[specContent]
}

type specContent struct {
	Schema   *schema
	Example  json.RawMessage
	Examples ordered[specExample]
}

type specExample struct {
	Summary, Description string
	Value                json.RawMessage
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Description          string
	Format               string
	Enum                 []any
	Const                any
	Properties           ordered[*schema]
	Required             []string
	Items                optionalSchema
	PrefixItems          []*schema
	AnyOf                []*schema
	AdditionalProperties optionalSchema
	RestrictedBy         []string `json:"x-restricted-by"`
}

// optionalSchema is a schema, nil where the document has true or false.
type optionalSchema struct{ *schema }

func (a *optionalSchema) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] != '{' {
		return nil
	}
	return json.Unmarshal(text, &a.schema)
}

// ordered is a JSON object whose members keep their order.
type ordered[V any] []struct {
	Name  string
	Value V
}

func (o *ordered[V]) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var v V
		if err := dec.Decode(&v); err != nil {
			return err
		}
		key, _ := name.(string)
		*o = append(*o, struct {
			Name  string
			Value V
		}{key, v})
	}
	return nil
}

// get returns the value of a name, or the zero value.
func (o ordered[V]) get(name string) (v V) {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return v
}

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
func (s *spec) bodies(sc *schema) []responseBody {
	var forms []*schema
	list, _ := s.alternatives(sc)
	for _, one := range list {
		i := slices.IndexFunc(forms, func(have *schema) bool { return s.typeOf(have) == s.typeOf(one) })
		if i < 0 {
			forms = append(forms, &schema{AnyOf: []*schema{one}})
		} else {
			forms[i].AnyOf = append(forms[i].AnyOf, one)
		}
	}
	var out []responseBody
	for _, form := range forms {
		out = append(out, responseBody{s.typeOf(form), s.properties(form)})
	}
	return out
}

// Text renders the description with its code.
func (p property) Text() template.HTML { return inline(p.Description, nil) }

func (s *spec) resolve(sc *schema) *schema {
	for sc != nil && sc.Ref != "" {
		sc = s.Components.Schemas[sc.Ref[strings.LastIndexByte(sc.Ref, '/')+1:]]
	}
	return sc
}

// alternatives returns the possible schemas of a value, without null.
func (s *spec) alternatives(sc *schema) (out []*schema, null bool) {
	sc = s.resolve(sc)
	switch {
	case sc == nil:
		return nil, false
	case len(sc.AnyOf) == 0 && sc.Type == "null":
		return nil, true
	case len(sc.AnyOf) == 0:
		list, _ := sc.Type.([]any)
		return []*schema{sc}, slices.Contains(list, any("null"))
	}
	for _, a := range sc.AnyOf {
		more, n := s.alternatives(a)
		out, null = append(out, more...), null || n
	}
	return out, null
}

// typeOf names the type of a value: string, integer, array of string, object or null.
func (s *spec) typeOf(sc *schema) string {
	list, null := s.alternatives(sc)
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

func (s *spec) plainType(sc *schema) string {
	name, ok := sc.Type.(string)
	if !ok {
		name = "value"
		if list, ok := sc.Type.([]any); ok && len(list) > 0 {
			name, _ = list[0].(string)
		}
	}
	switch {
	case sc.Const != nil:
		text, err := json.Marshal(sc.Const)
		if err == nil {
			name = string(text)
		}
	case len(sc.PrefixItems) > 0:
		var of []string
		for _, item := range sc.PrefixItems {
			of = append(of, s.typeOf(item))
		}
		name = "array [" + strings.Join(of, ", ") + "]"
	case sc.Items.schema != nil:
		name = "array of " + s.typeOf(sc.Items.schema)
	case sc.AdditionalProperties.schema != nil:
		name = "map of " + s.typeOf(sc.AdditionalProperties.schema)
	case sc.Format == "date-time":
		name = "date and time"
	case sc.Format == "uuid":
		name = "uuid"
	}
	return name
}

// properties returns the keys of a value and of the values nested in it. Values of maps have the key {key}.
func (s *spec) properties(sc *schema) []property {
	var out []property
	list, _ := s.alternatives(sc)
	for _, one := range list {
		if one.Items.schema != nil {
			out = append(out, s.properties(one.Items.schema)...)
			continue
		}
		for _, m := range one.Properties {
			p := property{
				Key: m.Name, Type: s.typeOf(m.Value), Description: m.Value.Description, Rules: m.Value.RestrictedBy,
				Optional: !slices.Contains(one.Required, m.Name), Children: s.properties(m.Value),
			}
			if p.Description == "" {
				if resolved := s.resolve(m.Value); resolved != nil {
					p.Description = resolved.Description
				}
			}
			if i := slices.IndexFunc(out, func(have property) bool { return have.Key == m.Name }); i < 0 {
				out = append(out, p)
			} else {
				out[i].Optional = out[i].Optional || p.Optional
			}
		}
		if values := one.AdditionalProperties.schema; values != nil {
			if children := s.properties(values); len(children) > 0 {
				p := property{Key: "{key}", Type: s.typeOf(values), Children: children}
				out = append(out, p)
			}
		}
	}
	return out
}
