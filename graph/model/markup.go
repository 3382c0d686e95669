package model

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Markup is formatted text, in source form (with § codes) or already rendered. It is stored unchanged
// and rendered in GraphQL and JSON.
type Markup string

var (
	_ graphql.Marshaler   = Markup("")
	_ graphql.Unmarshaler = (*Markup)(nil)
	_ json.Marshaler      = Markup("")
)

// Render returns the rendered text: HTML with the documented elements only. Rendered text is returned unchanged.
func (m Markup) Render() string {
	s := string(m)
	if !strings.Contains(s, sign) || isRendered(s) {
		return s
	}
	return renderSource(s)
}

// MarshalGQL writes the rendered form as a JSON string. JSON cannot contain invalid UTF-8: each run of invalid bytes
// becomes one U+FFFD.
func (m Markup) MarshalGQL(w io.Writer) { graphql.MarshalString(m.Valid()).MarshalGQL(w) }

// MarshalJSON writes the same form as MarshalGQL.
func (m Markup) MarshalJSON() ([]byte, error) { return json.Marshal(m.Valid()) }

// UnmarshalGQL reads a string without rendering it.
func (m *Markup) UnmarshalGQL(v any) error {
	s, ok := v.(string)
	if !ok {
		return errors.New("markup must be a string")
	}
	*m = Markup(s)
	return nil
}

// Valid returns the rendered form, with U+FFFD in place of bytes that are not UTF-8.
func (m Markup) Valid() string { return strings.ToValidUTF8(m.Render(), "\uFFFD") }
