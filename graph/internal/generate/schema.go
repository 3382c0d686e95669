package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// sections are the files of graph/schema in the order of the published schema.
var sections = []string{
	"common", "players", "items", "classes", "guilds", "territories", "map", "search", "leaderboards", "statistics",
	"news", "viewer", "account", "events",
}

// unpublished declares the directives for the generator, and the fields that they stand for.
const unpublished = "unpublished"

// schema is the schema with everything that follows from its sections.
type schema struct {
	*ast.Schema

	sections    []string
	doc         *ast.SchemaDocument
	sources     map[string]*ast.Source // by the name of the section
	templates   ast.DefinitionList     // types whose fields are added to others
	connections []*connection
}

// loadSchema reads the sections in a directory and completes them.
func loadSchema(dir string, sections []string) (*schema, error) {
	s := &schema{sections: sections, doc: &ast.SchemaDocument{}, sources: map[string]*ast.Source{}}
	if err := s.checkFiles(dir); err != nil {
		return nil, err
	}
	for _, name := range append(slices.Clone(sections), unpublished) {
		if err := s.read(dir, name); err != nil {
			return nil, err
		}
	}
	if err := s.addConnections(); err != nil {
		return nil, err
	}
	s.inheritFields()
	s.addPayloads()
	s.addImplementers()
	return s, s.validate()
}

// checkFiles finds files that are missing in the list of sections.
func (s *schema) checkFiles(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.graphqls"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".graphqls")
		if name != unpublished && !slices.Contains(s.sections, name) {
			return fmt.Errorf("%s is missing in the list of sections", file)
		}
	}
	return nil
}

func (s *schema) read(dir, name string) error {
	path := filepath.Join(dir, name+".graphqls")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.sources[name] = &ast.Source{Name: path, Input: string(text)}
	part, err := parser.ParseSchema(s.sources[name])
	if err != nil {
		return err
	}
	if name == unpublished {
		s.templates, part.Definitions = part.Definitions, nil
	}
	s.doc.Merge(part)
	return nil
}

// validate checks the whole schema, with positions in the sections, and merges extensions into their types.
func (s *schema) validate() error {
	all, err := parser.ParseSchema(validator.Prelude)
	if err != nil {
		return err
	}
	all.Merge(s.doc)
	s.Schema, err = validator.ValidateSchemaDocument(all)
	return err
}

// isPublished reports whether a directive is a part of the published schema.
func (s *schema) isPublished(directive string) bool {
	d := s.doc.Directives.ForName(directive)
	return d == nil || d.Position.Src != s.sources[unpublished]
}
