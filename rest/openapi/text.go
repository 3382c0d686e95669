package openapi

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Paragraph is a description of the schema as one paragraph, without the errors at its end, which
// every endpoint lists separately.
func Paragraph(description string) string {
	text := strings.Join(strings.Fields(description), " ")
	text, _, _ = strings.Cut(text, " Errors:")
	return strings.TrimSpace(text)
}

// Rules are the access rules that can restrict a field, by the names of scopes.
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
