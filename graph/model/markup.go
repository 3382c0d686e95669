package model

import (
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// Markup is replaced by its owner.
type Markup string

func (m Markup) MarshalGQL(w io.Writer)     { graphql.MarshalString(string(m)).MarshalGQL(w) }
func (m *Markup) UnmarshalGQL(v any) error { s, _ := v.(string); *m = Markup(s); return nil }
