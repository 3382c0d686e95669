package model

import (
	"fmt"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Enum is an enum of the schema whose values are stored in other spellings: `superSlow` and `super slow` are
// SUPER_SLOW. Its Go type is string and holds the stored text.
type Enum struct {
	// Values are the values in the schema.
	Values []string
	byText map[string]string // text without case, spaces and underscores → value
}

// Enums maps a name in the schema to its Enum.
var Enums = map[string]*Enum{}

func newEnum(name string, values ...string) *Enum {
	e := &Enum{Values: values, byText: map[string]string{}}
	for _, v := range values {
		e.byText[plainText(v)] = v
	}
	Enums[name] = e
	return e
}

// plainText converts a text to lower case and removes spaces, underscores and dashes.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// Value returns the value for a stored text: the value with the same letters, or else OTHER, or else "".
func (e *Enum) Value(text string) string {
	if v, ok := e.byText[text]; ok {
		return v
	}
	if v, ok := e.byText[plainText(text)]; ok {
		return v
	}
	return e.byText["other"]
}

// Marshal writes the value for a stored text, or null if there is none.
func (e *Enum) Marshal(text string) graphql.Marshaler {
	value := e.Value(text)
	if value == "" {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, `"`+value+`"`) })
}

// Unmarshal reads a value of the schema.
func (e *Enum) Unmarshal(v any) (string, error) {
	if s, ok := v.(string); ok && e.byText[plainText(s)] == s && s != "" {
		return s, nil
	}
	return "", fmt.Errorf("the value must be one of %s", strings.Join(e.Values, ", "))
}

// The enums whose stored texts are spelled unlike their values or listed elsewhere. The others are generated.

var oauthScopes = func() *Enum {
	var values []string
	for _, s := range ScopeNames {
		values = append(values, strings.ToUpper(s))
	}
	return newEnum("OAuthScope", values...)
}()

// MarshalOAuthScope writes a scope.
func MarshalOAuthScope(s string) graphql.Marshaler { return oauthScopes.Marshal(s) }

// UnmarshalOAuthScope reads a scope and returns its name.
func UnmarshalOAuthScope(v any) (string, error) {
	s, err := oauthScopes.Unmarshal(v)
	return strings.ToLower(s), err
}

var accessNames = newEnum("Access", "PUBLIC", "GUILD_AND_FRIENDS", "GUILD", "FRIEND", "PRIVATE")

// MarshalAccessName writes the value of an access rule.
func MarshalAccessName(s string) graphql.Marshaler { return accessNames.Marshal(s) }

// UnmarshalAccessName reads the value of an access rule and returns the stored text.
func UnmarshalAccessName(v any) (string, error) {
	s, err := accessNames.Unmarshal(v)
	return plainText(s), err
}
