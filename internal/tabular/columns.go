package tabular

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// column is a column and the columns of its nested objects.
type column struct {
	name  string
	leaf  bool // some row has a value here
	list  bool // the operation selects a list
	maybe bool // the operation selects it under a condition, and no row has it
	inner []*column
}

// child returns the nested column with a name, and adds it if missing.
func (c *column) child(name string) *column {
	if i := slices.IndexFunc(c.inner, func(c *column) bool { return c.name == name }); i >= 0 {
		return c.inner[i]
	}
	c.inner = append(c.inner, &column{name: name})
	return c.inner[len(c.inner)-1]
}

// selected returns the columns of all fields of an operation, none without one.
func selected(op *ast.OperationDefinition) *column {
	root := &column{}
	if op != nil {
		root.selects(op.SelectionSet, false)
	}
	return root
}

// selects adds the fields of a selection, which may be under a condition.
func (c *column) selects(set ast.SelectionSet, maybe bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			known := len(c.inner)
			field := c.child(s.Alias)
			conditional := maybe || isConditional(s.Directives)
			field.maybe = conditional && (field.maybe || len(c.inner) > known)
			field.list = s.Definition.Type.Elem != nil
			field.selects(s.SelectionSet, false)
		case *ast.InlineFragment:
			c.selects(s.SelectionSet, maybe || isConditional(s.Directives))
		case *ast.FragmentSpread:
			c.selects(s.Definition.SelectionSet, maybe || isConditional(s.Directives))
		}
	}
}

func isConditional(directives ast.DirectiveList) bool {
	return directives.ForName("skip") != nil || directives.ForName("include") != nil
}

// entries returns the columns of the entries of the list at a path.
func (c *column) entries(path string) *column {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		i := slices.IndexFunc(c.inner, func(c *column) bool { return c.name == name })
		if i < 0 {
			return &column{}
		}
		c = c.inner[i]
	}
	if len(c.inner) == 0 {
		return &column{inner: []*column{{name: valueColumn}}}
	}
	return &column{inner: c.inner}
}

// add adds the columns of an object. A null value can be an object in another row.
func (c *column) add(o *object) {
	for _, name := range o.names {
		inner := c.child(name)
		inner.maybe = false
		switch value := o.values[name].(type) {
		case *object:
			inner.add(value)
		case json.RawMessage:
			inner.leaf = inner.leaf || kind(value) != 'n'
		}
	}
}

// paths returns the paths of the cells. A column of objects and nulls has no cell of its own; an always-null column has
// one. A selected list is one cell, or none without lists.
func (c *column) paths(path []string, lists bool) [][]string {
	var out [][]string
	for _, inner := range c.inner {
		here := append(slices.Clone(path), inner.name)
		switch {
		case inner.maybe:
		case inner.list && lists:
			out = append(out, here)
		case inner.list:
		case inner.leaf, len(inner.inner) == 0:
			out = append(out, here)
			fallthrough
		default:
			out = append(out, inner.paths(here, lists)...)
		}
	}
	return out
}
