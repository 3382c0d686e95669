package openapi

import (
	jsonv1 "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object that preserves the order of its members, for readers of the document.
type object []member

type member struct {
	name  string
	value any
}

// marshal encodes objects in their order, without escaping `<` and `&`.
func marshal(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(true), numbers)
}

// numbers encodes numbers exactly as they were decoded.
var numbers = json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, n jsonv1.Number) error {
	return enc.WriteValue(jsontext.Value(n))
}))

// MarshalJSONTo writes the members in their order.
func (o object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

func text(about string) object { return object{{"type", "string"}, {"description", about}} }

// get returns the value of a member, or nil if the object lacks it.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
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
