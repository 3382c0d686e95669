package openapi

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Paragraph joins a description from the schema into one paragraph. It drops the errors at the end, since every
// endpoint lists them separately.
func Paragraph(description string) string {
	text := strings.Join(strings.Fields(description), " ")
	text, _, _ = strings.Cut(text, " Errors:")
	return strings.TrimSpace(text)
}

// Rules returns the access rules that can restrict a field, as names of scopes.
func Rules(f *ast.FieldDefinition) []string {
	d := f.Directives.ForName("guarded")
	if d == nil {
		return nil
	}
	var out []string
	for _, rule := range d.Arguments.ForName("by").Value.Children {
		out = append(out, strings.ToLower(rule.Value.Raw))
	}
	return out
}
