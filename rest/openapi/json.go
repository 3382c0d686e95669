package openapi

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object that preserves the order of its members, for readers of the document.
type object []member

type member struct {
	name  string
	value any
}

// marshal encodes objects in their order, without escaping `<` and `&`.
func marshal(v any) ([]byte, error) {
	var w writer
	w.single = json.NewEncoder(&w.out)
	w.single.SetEscapeHTML(false)
	err := w.value(v)
	return w.out.Bytes(), err
}

type writer struct {
	out    bytes.Buffer
	single *json.Encoder // of values that hold no objects
}

func (w *writer) value(v any) error {
	switch v := v.(type) {
	case object:
		w.out.WriteByte('{')
		for i, m := range v {
			w.comma(i)
			if err := w.encode(m.name); err != nil {
				return err
			}
			w.out.WriteByte(':')
			if err := w.value(m.value); err != nil {
				return err
			}
		}
		w.out.WriteByte('}')
		return nil
	case []object:
		return list(w, v)
	case []any:
		return list(w, v)
	}
	return w.encode(v)
}

func list[T any](w *writer, values []T) error {
	w.out.WriteByte('[')
	for i, v := range values {
		w.comma(i)
		if err := w.value(v); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	return nil
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.out.WriteByte(',')
	}
}

// encode writes one value; the encoder ends it with a line feed.
func (w *writer) encode(v any) error {
	err := w.single.Encode(v)
	w.out.Truncate(max(0, w.out.Len()-1))
	return err
}

// get is the value of a member, nil if there is none.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// with returns the object with a member added or replaced; nil, an empty string and an empty list
// add nothing.
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
