package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// connection is a type that a field with @connection returns, and the type of its entries.
type connection struct{ name, node string }

func (s *schema) addConnections() error {
	for _, def := range slices.Concat(s.doc.Definitions, s.doc.Extensions) {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("connection"); d != nil {
				if err := s.connect(f, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// connect gives a list field the arguments and type of a connection, and adds that type.
func (s *schema) connect(f *ast.FieldDefinition, d *ast.Directive) error {
	if f.Type.Elem == nil || f.Type.Elem.NamedType == "" {
		return gqlerror.ErrorPosf(f.Position, "%s has @connection, but is no list.", f.Name)
	}
	node := f.Type.Elem.NamedType
	c := connection{argument(d, "name", node+"Connection"), node}
	parts, err := s.connectionParts(c, argument(d, "max", "100000"))
	if err != nil {
		return err
	}
	list, page := parts.ForName("Paged").Fields[0], parts.ForName(c.name)
	if argument(d, "numbered", "false") == "false" { // without the last arguments, page and pageNumbers
		list.Arguments = list.Arguments[:len(list.Arguments)-1]
		page.Fields = page.Fields[:len(page.Fields)-1]
	}
	for _, a := range list.Arguments {
		if own := f.Arguments.ForName(a.Name); own == nil {
			f.Arguments = append(f.Arguments, a)
		} else {
			own.Directives = a.Directives
		}
	}
	f.Type.NamedType, f.Type.Elem = c.name, nil
	if !slices.Contains(s.connections, c) {
		s.connections = append(s.connections, c)
	}
	s.define(page, node)
	s.define(parts.ForName(node+"Edge"), node)
	return nil
}

func argument(d *ast.Directive, name, absent string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return absent
}

// connectionParts returns the parts of a connection, from the templates in unpublished.graphqls.
func (s *schema) connectionParts(c connection, largest string) (ast.DefinitionList, error) {
	entries, err := strconv.ParseInt(largest, 10, 64)
	if err != nil {
		return nil, err
	}
	template := s.sources[unpublished]
	names := strings.NewReplacer("NODEConnection", c.name, "NODE", c.node,
		"MAX", humanize.Comma(entries), "LARGEST", largest)
	doc, err := parser.ParseSchema(&ast.Source{Name: template.Name, Input: names.Replace(template.Input)})
	if err != nil {
		return nil, err
	}
	return doc.Definitions, nil
}

// define adds a type before another type, or completes an existing type of the same name.
func (s *schema) define(part *ast.Definition, before string) {
	if own := s.doc.Definitions.ForName(part.Name); own != nil {
		inherit(own, part.Fields)
		own.Description = cmp.Or(own.Description, part.Description)
		return
	}
	i := slices.IndexFunc(s.doc.Definitions, func(def *ast.Definition) bool { return def.Name == before })
	if i >= 0 { // validation reports a missing type
		part.Position = s.doc.Definitions[i].Position
		s.doc.Definitions = slices.Insert(s.doc.Definitions, i, part)
	}
}

// writeConnections writes the types of connections and edges; graph/model itself declares those with more fields.
func writeConnections(f *goFile, s *schema, types modelTypes) {
	edges := map[string]bool{}
	for _, c := range s.connections {
		node := c.node
		if s.Types[node].Kind == ast.Object {
			node = "*" + node
		}
		if !types.declares(c.name) {
			f.add("// %s is a page of a list of %s.\ntype %s = Connection[%s]\n", c.name, c.node, c.name, node)
		}
		if !edges[c.node] {
			f.add("// %sEdge is a %s in a list.\ntype %sEdge = Edge[%s]\n", c.node, c.node, c.node, node)
		}
		edges[c.node] = true
	}
}
