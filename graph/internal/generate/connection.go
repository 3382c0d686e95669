package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// connection is a type that a field with @connection returns.
type connection struct {
	name, node string
	// numbered is whether a field with this type has numbered pages.
	numbered bool
}

// addConnections turns the lists with @connection into connections, and adds the types of these.
func (s *schema) addConnections() error {
	for _, def := range slices.Concat(s.doc.Definitions, s.doc.Extensions) {
		for _, f := range def.Fields {
			d := f.Directives.ForName("connection")
			if d == nil {
				continue
			}
			if f.Type.Elem == nil || f.Type.Elem.Elem != nil {
				return gqlerror.ErrorPosf(f.Position, "%s has @connection, but is no list.", f.Name)
			}
			if err := s.connect(f, d); err != nil {
				return err
			}
		}
	}
	for _, c := range s.connections {
		if err := s.addConnectionTypes(c); err != nil {
			return err
		}
	}
	return nil
}

// connect gives a list field the arguments and the type of a connection.
func (s *schema) connect(f *ast.FieldDefinition, d *ast.Directive) error {
	c := s.connectionOf(f, d)
	parts, err := s.connectionParts(c, argument(d, "max", "100000"))
	if err != nil {
		return err
	}
	f.Type.NamedType, f.Type.Elem = c.name, nil
	for _, a := range parts.ForName("Paged").Fields[0].Arguments {
		if f.Arguments.ForName(a.Name) == nil && (a.Name != "page" || isNumbered(d)) {
			f.Arguments = append(f.Arguments, a)
		}
	}
	return nil
}

// connectionOf returns the connection of a list field.
func (s *schema) connectionOf(f *ast.FieldDefinition, d *ast.Directive) *connection {
	node := f.Type.Elem.NamedType
	name := argument(d, "name", node+"Connection")
	i := slices.IndexFunc(s.connections, func(c *connection) bool { return c.name == name })
	if i < 0 {
		i = len(s.connections)
		s.connections = append(s.connections, &connection{name: name, node: node})
	}
	c := s.connections[i]
	c.numbered = c.numbered || isNumbered(d)
	return c
}

func isNumbered(d *ast.Directive) bool { return argument(d, "numbered", "false") == "true" }

// argument returns the value of a directive's argument.
func argument(d *ast.Directive, name, absent string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return absent
}

// connectionParts returns the definitions of unpublished.graphqls for a connection.
func (s *schema) connectionParts(c *connection, largest string) (ast.DefinitionList, error) {
	most, err := strconv.ParseInt(largest, 10, 64)
	if err != nil {
		return nil, err
	}
	template := s.sources[unpublished]
	names := strings.NewReplacer("NODEConnection", c.name, "NODE", c.node, "MAX", humanize.Comma(most))
	doc, err := parser.ParseSchema(&ast.Source{Name: template.Name, Input: names.Replace(template.Input)})
	if err != nil {
		return nil, err
	}
	return doc.Definitions, nil
}

// addConnectionTypes adds the types of a connection before the type of its entries, or completes those in the sections.
func (s *schema) addConnectionTypes(c *connection) error {
	parts, err := s.connectionParts(c, "0")
	if err != nil {
		return err
	}
	page, edge := parts.ForName(c.name), parts.ForName(c.node+"Edge")
	if !c.numbered {
		page.Fields = slices.DeleteFunc(page.Fields, func(f *ast.FieldDefinition) bool { return f.Name == "pageNumbers" })
	}
	for _, part := range []*ast.Definition{page, edge} {
		s.define(part, c.node)
	}
	return nil
}

// define adds a type before another one, or completes it if a section declares it.
func (s *schema) define(part *ast.Definition, before string) {
	if own := s.doc.Definitions.ForName(part.Name); own != nil {
		inherit(own, part.Fields)
		if own.Description == "" {
			own.Description = part.Description
		}
		return
	}
	i := slices.IndexFunc(s.doc.Definitions, func(def *ast.Definition) bool { return def.Name == before })
	if i < 0 {
		return // validation reports the missing type
	}
	part.Position = s.doc.Definitions[i].Position
	s.doc.Definitions = slices.Insert(s.doc.Definitions, i, part)
}

// writeConnections writes the types of connections and edges. Those with more fields are declared by hand.
func writeConnections(f *goFile, s *schema, types modelTypes) {
	f.add("type (")
	edges := map[string]bool{}
	for _, c := range s.connections {
		node := c.node
		if s.Types[node].Kind == ast.Object {
			node = "*" + node
		}
		if !types.declares(c.name) {
			f.add("// %s is a page of a list of %s.\n%s = Connection[%s]", c.name, c.node, c.name, node)
		}
		if !edges[c.node] {
			f.add("// %sEdge is a %s in a list.\n%sEdge = Edge[%s]", c.node, c.node, c.node, node)
		}
		edges[c.node] = true
	}
	f.add(")\n")
}
