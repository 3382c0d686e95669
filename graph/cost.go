package graph

import (
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coster prices the selections of one operation: a field is 1, and what stands under a
// list counts as often as the list is taken to be long. An argument `first` says how long
// that is, for the field's own list or the one right below it. Each fragment is priced once.
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

// set stops adding above the limit, so sums cannot overflow. An object has one type: of the
// fragments for different types of object only the dearest type's count.
func (c *coster) set(set ast.SelectionSet) int {
	total, dearest := 0, 0
	byType := map[string]int{}
	for _, selection := range set {
		var cost int
		var on string
		switch s := selection.(type) {
		case *ast.Field:
			cost = c.field(s)
		case *ast.InlineFragment:
			cost, on = c.set(s.SelectionSet), s.TypeCondition
		case *ast.FragmentSpread:
			cost, on = c.fragment(s.Name)
		}
		if def := c.schema.Types[on]; def != nil && def.Kind == ast.Object {
			byType[on] += cost
			dearest = max(dearest, byType[on])
		} else {
			total += cost
		}
		if total+dearest > c.limits.Cost {
			break
		}
	}
	return total + dearest
}

// fragment gives the cost of a fragment and the type it is for.
func (c *coster) fragment(name string) (int, string) {
	def := c.doc.Fragments.ForName(name)
	if def == nil {
		return 0, ""
	}
	cost, ok := c.known[name]
	if !ok {
		cost = c.set(def.SelectionSet)
		c.known[name] = cost
	}
	return cost, def.TypeCondition
}

func (c *coster) field(f *ast.Field) int {
	below := c.set(f.SelectionSet)
	isList := f.Definition != nil && f.Definition.Type.Elem != nil
	switch first := firstOf(f); {
	case first > 0 && isList:
		below *= first
	case first > c.limits.ListSize:
		// The list stands one level below, where it was taken to have the assumed size.
		below = below / c.limits.ListSize * first
	case isList:
		below *= c.length(f)
	}
	return 1 + below
}

// maxFirst is the highest value any argument `first` takes.
const maxFirst = 1000

// firstOf is how many entries a field is asked for: the value of its argument `first`, the
// highest there is when the value stands in a variable, 0 without the argument.
func firstOf(f *ast.Field) int {
	arg := f.Arguments.ForName("first")
	switch {
	case arg == nil || arg.Value == nil:
		return 0
	case arg.Value.Kind == ast.Variable:
		return maxFirst
	}
	n, err := strconv.Atoi(arg.Value.Raw)
	if err != nil || n < 1 || n > maxFirst {
		return 0 // refused before it is worked on
	}
	return n
}

// length is how long a list is taken to be: as long as the keys it is asked for, where
// they stand in the query, else as long as the schema says, else the assumed size.
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
	if f.Definition != nil {
		if d := f.Definition.Directives.ForName("listSize"); d != nil {
			if n, err := strconv.Atoi(argument(d, "assumed")); err == nil {
				return max(n, 1)
			}
		}
	}
	return c.limits.ListSize
}
