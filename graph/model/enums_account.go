package model

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

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
