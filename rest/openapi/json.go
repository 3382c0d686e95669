package openapi

import (
	jsonv1 "encoding/json"
	"errors"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object that preserves the order of its members, for readers of the document.
type object []member

// Object is the document, or an object in it, as Decode returns it.
type Object = object

type member struct {
	name  string
	value any
}

// Marshal encodes objects in their order, without escaping `<` and `&`.
func Marshal(v any, options ...json.Options) []byte {
	options = append(options, json.Deterministic(true), json.FormatNilSliceAsNull(true), numbers)
	text, err := json.Marshal(v, options...)
	if err != nil {
		panic(err) // objects, lists and single values can be encoded
	}
	return text
}

// numbers encodes numbers exactly as they were decoded.
var numbers = json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, n jsonv1.Number) error {
	return enc.WriteValue(jsontext.Value(n))
}))

// MarshalJSONTo writes the members in their order.
func (o object) MarshalJSONTo(enc *jsontext.Encoder) error {
	err := enc.WriteToken(jsontext.BeginObject)
	for _, m := range o {
		err = errors.Join(err, enc.WriteToken(jsontext.String(m.name)), json.MarshalEncode(enc, m.value))
	}
	return errors.Join(err, enc.WriteToken(jsontext.EndObject))
}

func text(about string) object { return object{{"type", "string"}, {"description", about}} }

// Get returns the value of a member, or nil if the object lacks it.
func (o object) Get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// Object returns the object at a path, or nil if there is none.
func (o object) Object(path ...string) object {
	for _, name := range path {
		o, _ = o.Get(name).(object)
	}
	return o
}

// Text returns a member that is a string, else "".
func (o object) Text(name string) string {
	text, _ := o.Get(name).(string)
	return text
}

// Texts returns the strings of a member that is a list.
func (o object) Texts(name string) []string { return listOf[string](o.Get(name)) }

// Objects returns the objects of a member that is a list.
func (o object) Objects(name string) []object { return listOf[object](o.Get(name)) }

func listOf[T any](list any) (out []T) {
	values, _ := list.([]any)
	for _, v := range values {
		if element, ok := v.(T); ok {
			out = append(out, element)
		}
	}
	return out
}

// All returns the members that are objects.
func (o object) All() iter.Seq2[string, object] {
	return func(yield func(string, object) bool) {
		for _, m := range o {
			if inner, ok := m.value.(object); ok && !yield(m.name, inner) {
				return
			}
		}
	}
}

func (o object) names() []string {
	var out []string
	for _, m := range o {
		out = append(out, m.name)
	}
	return out
}

// with returns the object with a member added or replaced; nil, an empty string and an empty list add nothing.
func (o object) with(name string, value any) object {
	switch v := value.(type) {
	case nil:
		return o
	case string:
		if v == "" {
			return o
		}
	case []string:
		if len(v) == 0 {
			return o
		}
	}
	for i, m := range o {
		if m.name == name {
			out := append(object{}, o...)
			out[i].value = value
			return out
		}
	}
	return append(o[:len(o):len(o)], member{name, value})
}
