package model

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Markup is a text as its author left it: in source form (with § codes) or already rendered.
// Storage keeps it unchanged; its GraphQL and JSON form is the rendered one (WIRE-CONTENT §7.7).
type Markup string

var (
	_ graphql.Marshaler   = Markup("")
	_ graphql.Unmarshaler = (*Markup)(nil)
	_ json.Marshaler      = Markup("")
)

// Render gives the text as it is answered. Rendered text goes out byte for byte, source text
// becomes the documented pieces. Rendering a rendered text changes nothing.
func (m Markup) Render() string {
	s := string(m)
	if !strings.Contains(s, sign) || isRendered(s) {
		return s
	}
	return renderSource(s)
}

// MarshalGQL writes the rendered form as a JSON string. Bytes that are not UTF-8 have no place in
// JSON; each run of them becomes one U+FFFD.
func (m Markup) MarshalGQL(w io.Writer) {
	graphql.MarshalString(m.Valid()).MarshalGQL(w)
}

// MarshalJSON writes what MarshalGQL writes.
func (m Markup) MarshalJSON() ([]byte, error) {
	return json.Marshal(m.Valid())
}

// UnmarshalGQL takes a string as it stands.
func (m *Markup) UnmarshalGQL(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("markup must be a string, not %T", v)
	}
	*m = Markup(s)
	return nil
}

// Valid is the rendered form with U+FFFD in the place of bytes that are not UTF-8.
func (m Markup) Valid() string {
	return strings.ToValidUTF8(m.Render(), "\uFFFD")
}
