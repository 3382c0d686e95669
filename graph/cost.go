package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coster weighs the selections of one operation as its variables have them. The weight is
// how many fields the answer may hold: a field is 1, and what stands under a list counts as
// often as the list has entries. Each fragment is weighed once for every length that its
// surroundings give its lists.
type coster struct {
	e         *Executor
	doc       *ast.QueryDocument
	variables map[string]any
	known     map[weighed]int
}

// ruled is a length that a field gives a list right below it.
type ruled struct {
	field   string
	entries int
}

// weighed is a fragment in its surroundings.
type weighed struct {
	fragment string
	ruled
}

// set stops adding above the limit. An object has one type: of the fragments for different
// types of object only the dearest type's count.
func (c *coster) set(set ast.SelectionSet, above ruled) int {
	total, dearest := 0, 0
	var byType map[string]int
	for _, selection := range set {
		var weight int
		var on string
		switch s := selection.(type) {
		case *ast.Field:
			if c.skips(s.Directives) {
				continue
			}
			weight = c.field(s, above)
		case *ast.InlineFragment:
			if c.skips(s.Directives) {
				continue
			}
			weight, on = c.set(s.SelectionSet, above), s.TypeCondition
		case *ast.FragmentSpread:
			if c.skips(s.Directives) {
				continue
			}
			weight, on = c.fragment(s.Name, above)
		}
		if def := c.e.Schema().Types[on]; def != nil && def.Kind == ast.Object {
			if byType == nil {
				byType = map[string]int{}
			}
			byType[on] += weight
			dearest = max(dearest, byType[on])
		} else {
			total += weight
		}
		if total+dearest > c.e.limits.Cost {
			break
		}
	}
	return total + dearest
}

// fragment gives the weight of a fragment and the type it is for.
func (c *coster) fragment(name string, above ruled) (int, string) {
	def := c.doc.Fragments.ForName(name)
	if def == nil {
		return 0, ""
	}
	key := weighed{name, above}
	weight, ok := c.known[key]
	if !ok {
		weight = c.set(def.SelectionSet, above)
		c.known[key] = weight
	}
	return weight, def.TypeCondition
}

// field is never far above the limit, so that products of lengths cannot overflow.
func (c *coster) field(f *ast.Field, above ruled) int {
	size := c.e.sizes[f.Definition]
	var below ruled
	if size.of != "" {
		below = ruled{size.of, c.entries(f, size)}
	}
	weight := c.set(f.SelectionSet, below)
	if f.ObjectDefinition != nil && isIntrospection(f.ObjectDefinition.Name) {
		weight = introspected(c.e.Schema(), f, weight)
	} else if f.Definition != nil && f.Definition.Type.Elem != nil {
		if above.field == f.Name {
			weight *= above.entries
		} else {
			if size.of != "" {
				size = listSize{}
			}
			weight *= c.entries(f, size)
		}
	}
	return min(1+weight, c.e.limits.Cost+1)
}

// maxFirst is the highest number of entries that any argument takes; a higher one is refused
// before it is worked on.
const maxFirst = 1000

// entries is how many entries a list has: as its arguments say, else as the schema does.
func (c *coster) entries(f *ast.Field, size listSize) int {
	if whole, _ := c.argument(f, fullResult).(bool); whole && size.all > 0 {
		return size.all
	}
	if size.by != "" {
		switch v := c.argument(f, size.by).(type) {
		case nil:
		case []any:
			return max(len(v), 1)
		default:
			if n, ok := wholeNumber(v); ok && n > 0 {
				return int(min(n, maxFirst))
			}
			return 1 // one value is a list of one; what does not fit is refused
		}
	}
	switch {
	case size.paged:
		return c.e.limits.PageSize
	case size.assumed > 0:
		return size.assumed
	}
	return c.e.limits.ListSize
}

// argument is the value of a field's argument, with variables and defaults filled in; nil
// when it has none.
func (c *coster) argument(f *ast.Field, name string) any {
	if arg := f.Arguments.ForName(name); arg != nil {
		if v, err := arg.Value.Value(c.variables); err == nil && v != nil {
			return v
		}
	}
	if f.Definition != nil {
		if def := f.Definition.Arguments.ForName(name); def != nil && def.DefaultValue != nil {
			if v, err := def.DefaultValue.Value(nil); err == nil {
				return v
			}
		}
	}
	return nil
}

// skips tells whether @skip or @include leave something out.
func (c *coster) skips(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		arg := d.Arguments.ForName("if")
		if arg == nil {
			continue
		}
		if v, err := arg.Value.Value(c.variables); err == nil {
			if yes, ok := v.(bool); ok && yes == (d.Name == "skip") {
				return true
			}
		}
	}
	return false
}

// tooDear refuses an operation above the limit.
func (e *Executor) tooDear(op *ast.OperationDefinition, weight int) *gqlerror.Error {
	return exceeded(op.Position, "cost", weight, e.limits.Cost,
		"The answer may hold %d fields or more, at most %d are allowed: what stands under a list counts for each of its entries.", weight, e.limits.Cost)
}
