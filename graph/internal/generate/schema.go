package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// sections are the files of graph/schema in the order of the published schema.
var sections = []string{
	"common", "players", "items", "classes", "guilds", "territories", "map", "search", "leaderboards", "statistics",
	"news", "viewer", "account", "competitions", "events",
}

// unpublished declares the directives for the generator, and the fields that they generate.
const unpublished = "unpublished"

// schema is the schema with everything derived from its sections.
type schema struct {
	*ast.Schema

	sections    []string
	doc         *ast.SchemaDocument
	sources     map[string]*ast.Source // by the name of the section
	templates   ast.DefinitionList     // types whose fields are added to others
	connections []connection
}

// loadSchema reads the sections in a directory and completes them.
func loadSchema(dir string, sections []string) (*schema, error) {
	s := &schema{sections: sections, doc: &ast.SchemaDocument{}, sources: map[string]*ast.Source{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.graphqls"))
	if err != nil {
		return nil, err
	}
	if len(files) != len(sections)+1 {
		return nil, fmt.Errorf("%s has %d sections, the list has %d", dir, len(files)-1, len(sections))
	}
	for _, name := range append(slices.Clone(sections), unpublished) {
		if err := s.read(name, filepath.Join(dir, name+".graphqls")); err != nil {
			return nil, err
		}
	}
	if err := s.addConnections(); err != nil {
		return nil, err
	}
	s.addInherited()
	s.addPayloads()
	s.addImplementers()
	return s, s.validate()
}

func (s *schema) read(name, path string) error {
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
