package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// sdl returns the published text of a section: its heading, its directives and its types.
func (s *schema) sdl(section string) string {
	source := s.sources[section]
	heading, _, _ := strings.Cut(source.Input, "\n\n")
	parts := []string{heading + "\n"}
	for _, d := range s.doc.Directives {
		if d.Position.Src == source {
			parts = append(parts, text(&ast.SchemaDocument{Directives: ast.DirectiveDefinitionList{d}}))
		}
	}
	for _, def := range s.doc.Definitions {
		if def.Position.Src == source {
			parts = append(parts, s.definition(def))
		}
	}
	return strings.Join(parts, "\n")
}

// definition returns the text of a type without unpublished directives.
func (s *schema) definition(def *ast.Definition) string {
	published := *def
	published.Directives, published.Fields = s.published(def.Directives), nil
	for _, f := range def.Fields {
		field := *f
		field.Directives = s.published(f.Directives)
		published.Fields = append(published.Fields, &field)
	}
	return text(&ast.SchemaDocument{Definitions: ast.DefinitionList{&published}})
}

// published returns a list without the directives for the generator.
func (s *schema) published(list ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(list), func(d *ast.Directive) bool {
		return s.Directives[d.Name].Position.Src == s.sources[unpublished]
	})
}

var (
	blocks       = regexp.MustCompile(`(?s)"""\n *(.*?)\n *"""`)
	emptyLines   = regexp.MustCompile(`\n\n( +["\w])`) // between arguments
	spaces       = regexp.MustCompile(`(?m) +$`)
	listElements = regexp.MustCompile(`([A-Z]),([A-Z])`)
)

// text formats a document with fewer lines than the formatter writes.
func text(doc *ast.SchemaDocument) string {
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchemaDocument(doc)
	out := blocks.ReplaceAllStringFunc(b.String(), oneLine)
	out = emptyLines.ReplaceAllString(out, "\n$1")
	out = spaces.ReplaceAllString(out, "")
	return listElements.ReplaceAllString(out, "$1, $2")
}

// oneLine puts a description without line breaks on one line.
func oneLine(block string) string {
	description := blocks.FindStringSubmatch(block)[1]
	if strings.ContainsAny(description, "\n\"\\") {
		return block
	}
	return `"` + description + `"`
}
