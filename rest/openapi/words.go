package openapi

import (
	"regexp"
	"strings"

	"gamedata/rest/transform"
)

// sources are what the schema's descriptions name for those who build the service.
var sources = regexp.MustCompile(`\s*\((?:SPEC|WIRE)[^()]*\)`)

// Words is a description of the schema as one paragraph, without the names of sources
// and without errors, which every endpoint lists by itself.
func Words(description string) string {
	text := sources.ReplaceAllString(strings.Join(strings.Fields(description), " "), "")
	text, _, _ = strings.Cut(text, " Errors:")
	return strings.TrimSpace(text)
}

// summary is the first sentence of a text without its full stop.
func summary(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	first, _, _ = strings.Cut(first, ": ")
	return strings.TrimSuffix(first, ".")
}

// Rules are the access rules that can keep a field from showing something, as the keys of
// restrictions and scopes spell them.
func Rules(p *transform.Plan) []string {
	d := p.Field.Directives.ForName("guarded")
	if d == nil {
		return nil
	}
	var out []string
	for _, rule := range d.Arguments.ForName("by").Value.Children {
		out = append(out, strings.ToLower(rule.Value.Raw))
	}
	return out
}
