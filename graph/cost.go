package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coster prices the selections of one operation: a field is 1, and what stands under a
// list counts as often as the list is taken to be long. Each fragment is priced once.
type coster struct {
	schema *ast.Schema
	doc    *ast.QueryDocument
	limits Limits
	known  map[string]int
}

// introspectionSizes are the lengths taken for lists of the schema itself: what a type has
// on average, 1 when not named here. All types and all directives are as many as they are.
var introspectionSizes = map[string]int{"fields": 10, "enumValues": 2, "locations": 2}

func checkCost(schema *ast.Schema, doc *ast.QueryDocument, op *ast.OperationDefinition, limits Limits) *gqlerror.Error {
	c := &coster{schema: schema, doc: doc, limits: limits, known: map[string]int{}}
	if cost := c.set(op.SelectionSet); cost > limits.Cost {
		return exceeded(op.Position, "The query may cost %d or more, at most %d is allowed: a field costs 1, under a list of unknown length %d times as much.", cost, limits.Cost, limits.ListSize)
	}
	return nil
}

// set stops adding above the limit, so sums cannot overflow.
func (c *coster) set(set ast.SelectionSet) int {
	total := 0
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			total += c.field(s)
		case *ast.InlineFragment:
			total += c.set(s.SelectionSet)
		case *ast.FragmentSpread:
			cost, ok := c.known[s.Name]
			if def := c.doc.Fragments.ForName(s.Name); !ok && def != nil {
				cost = c.set(def.SelectionSet)
				c.known[s.Name] = cost
			}
			total += cost
		}
		if total > c.limits.Cost {
			return total
		}
	}
	return total
}

func (c *coster) field(f *ast.Field) int {
	below := c.set(f.SelectionSet)
	if f.Definition != nil && f.Definition.Type.Elem != nil {
		below *= c.length(f)
	}
	return 1 + below
}

// length is how long a list is taken to be: as long as the keys it is asked for, where
// they stand in the query, else the assumed size.
func (c *coster) length(f *ast.Field) int {
	if f.ObjectDefinition != nil && isIntrospection(f.ObjectDefinition.Name) {
		switch f.Name {
		case "types":
			return len(c.schema.Types)
		case "directives":
			return len(c.schema.Directives)
		}
		return max(introspectionSizes[f.Name], 1)
	}
	for _, arg := range f.Arguments {
		if arg.Value != nil && arg.Value.Kind == ast.ListValue {
			return max(len(arg.Value.Children), 1)
		}
	}
	return c.limits.ListSize
}
