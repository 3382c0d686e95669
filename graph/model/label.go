package model

import "encoding/json"

// Label is a stored text that the schema shows as an object with an enum value and the text itself.
type Label string

// Key returns the text, which marshals as an enum value.
func (l Label) Key() string { return string(l) }

// Label returns the text.
func (l Label) Label() string { return string(l) }

// UnmarshalJSON reads a text or the schema's object.
func (l *Label) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		return json.Unmarshal(data, &struct{ Label *Label }{l})
	}
	return json.Unmarshal(data, (*string)(l))
}
