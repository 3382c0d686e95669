package openapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Decode decodes the document.
func Decode(document []byte) Object {
	object, _ := decode(document).(object)
	return object
}

// decode decodes JSON into ordered objects, lists and single values, or returns nil if the JSON is invalid.
func decode(text []byte) any {
	if !json.Valid(text) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return next(dec)
}

// next decodes the next value of valid JSON.
func next(dec *json.Decoder) any {
	token, _ := dec.Token()
	switch token {
	case json.Delim('{'):
		out := object{}
		for dec.More() {
			name, _ := dec.Token()
			out = append(out, member{name.(string), next(dec)})
		}
		_, _ = dec.Token()
		return out
	case json.Delim('['):
		out := []any{}
		for dec.More() {
			out = append(out, next(dec))
		}
		_, _ = dec.Token()
		return out
	}
	return token
}

// shown is the number of entries that an example shows of a map or list.
const shown = 2

// clock is the placeholder in cases for times that depend on the clock.
const clock = "(depends on the clock)"

// cut shortens the maps and lists in the body of a case to their first entries. It needs the schemas to tell maps from
// objects.
func (b *builder) cut(value any, schemas []object) any {
	schemas = b.branches(schemas)
	switch v := value.(type) {
	case string:
		if v == clock {
			return nil
		}
	case []any:
		items := keyword(schemas, "items")
		tuple := slices.ContainsFunc(schemas, func(s object) bool { return s.Get("prefixItems") != nil })
		if len(items) > 0 && len(v) > shown && !tuple {
			v = v[:shown]
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = b.cut(v[i], items)
		}
		return out
	case object:
		var out object
		entries := 0
		for _, m := range v {
			known := keyword(keyword(schemas, "properties"), m.name)
			if len(known) == 0 {
				entries++
				if entries > shown {
					continue
				}
				known = keyword(schemas, "additionalProperties")
			}
			out = append(out, member{m.name, b.cut(m.value, known)})
		}
		if out == nil {
			out = object{}
		}
		return out
	}
	return value
}

// branches returns the alternatives of schemas, with references resolved.
func (b *builder) branches(schemas []object) []object {
	var out []object
	for _, s := range schemas {
		if name := s.Text("$ref"); name != "" {
			s = b.components[name[strings.LastIndexByte(name, '/')+1:]].schema
		}
		if alternatives, ok := s.Get("anyOf").([]object); ok {
			out = append(out, b.branches(alternatives)...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// keyword returns the schemas under a keyword.
func keyword(schemas []object, name string) []object {
	var out []object
	for _, s := range schemas {
		if o := s.Object(name); o != nil {
			out = append(out, o)
		}
	}
	return out
}
