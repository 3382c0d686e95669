package model

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// The enums whose stored texts are not spelled like their values, or are listed elsewhere. The others are generated.

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
