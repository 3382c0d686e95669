package apidocs

import (
	"html/template"
	"strings"
)

// Parts of the navigation.
const (
	guidesSection = "Guides"
	restSection   = "REST"
)

// navSection is a part of the side navigation: guides, REST or GraphQL. Its links come before its groups.
type navSection struct {
	Title, Path string
	Links       []navLink
	Groups      []navGroup
}

// navGroup holds the links to a group of pages. Path is the address of a list of them.
type navGroup struct {
	Title, Path string
	Links       []navLink
}

type navLink struct{ Path, Text, Method string }

// HTML is the text of the link. A path can break after each of its parts.
func (l navLink) HTML() template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(l.Text), "/", "/<wbr>")) //nolint:gosec // escaped
}
