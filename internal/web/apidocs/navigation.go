package apidocs

import (
	"html/template"
	"slices"
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
	Open        bool
}

// navGroup has the links of a group of pages. Path is where a list of them is.
type navGroup struct {
	Title, Path string
	Links       []navLink
	Open        bool
}

type navLink struct {
	Path, Text, Method string
	Current            bool
}

// HTML is the text of the link. A path can break after each of its parts.
func (l navLink) HTML() template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(l.Text), "/", "/<wbr>")) //nolint:gosec // escaped
}

// navigation is the side navigation of a page: its section and group are open.
func (r *reference) navigation(path string, p *referencePage) []navSection {
	out := slices.Clone(r.nav)
	for i := range out {
		section := &out[i]
		section.Open = section.Title == p.section
		section.Groups = slices.Clone(section.Groups)
		for j := range section.Groups {
			group := &section.Groups[j]
			group.Open = section.Open && group.Title == p.group
			if group.Path != "" && !group.Open {
				group.Links = nil // the schema is large: other groups link to their list
			}
			group.Links = markCurrent(group.Links, path)
		}
		section.Links = markCurrent(section.Links, path)
	}
	return out
}

func markCurrent(links []navLink, path string) []navLink {
	links = slices.Clone(links)
	for i := range links {
		links[i].Current = links[i].Path == path
	}
	return links
}
