package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Charges returns the charges of an operation with its variables, by rate-limit bucket. Each root field costs 1 per
// Limits.UnitFields fields in its part of the response, estimated and rounded up. Root fields with the same response
// key count once. Fields left out by @skip and @include cost nothing, nor do fields declared free. An operation without
// a field in any bucket costs 1 in SHARED. The map is empty if all fields are free.
//
// The variables may be unchecked: Run rejects values that do not fit their types. Charges returns an error for an
// operation above Limits.Cost, so call it before Run.
func (e *Executor) Charges(op *Operation, variables map[string]any) (map[string]int, *gqlerror.Error) {
	c := &costEstimator{
		schema: e.Schema(), facts: e.facts, limits: e.o.Limits,
		doc: op.Doc, variables: variables, fragments: map[fragmentUse]int{},
	}
	selected := map[string]FieldPolicy{}
	costs := map[string]int{}
	total := 0
	for _, f := range rootFields(op.Doc, op.Def, c.skips) {
		field, ok := e.facts.roots[f.Name]
		if !ok {
			continue
		}
		cost := c.field(f, page{})
		selected[f.Alias] = field
		costs[f.Alias] += cost
		total += cost
		if total > c.limits.Cost {
			return nil, limitError(op.Def.Position, "cost", total, c.limits.Cost,
				"Query too expensive: it could return %d fields or more, at most %d are allowed. "+
					"Fields of a list count once per entry: lower `first` or select less.")
		}
	}
	if op.IsSubscription() && total > c.limits.UnitFields {
		return nil, limitError(op.Def.Position, "cost", total, c.limits.UnitFields,
			"Subscription too expensive: an event could have %d fields or more, at most %d are allowed. "+
				"Fields of a list count once per entry: lower `first` or select less.")
	}
	charges := map[string]int{}
	for alias, field := range selected {
		if !field.Free {
			charges[field.Bucket] += (costs[alias] + c.limits.UnitFields - 1) / c.limits.UnitFields
		}
	}
	if len(selected) == 0 {
		charges[sharedBucket] = 1
	}
	return charges, nil
}

// costEstimator estimates the number of fields in the response of an operation with its variables. A field counts 1,
// fields below a list count once per entry, and a long alias counts as several fields. gqlgen's own estimate visits a
// fragment wherever it is spread, which is exponential; this one estimates each fragment once per surrounding list
// length.
type costEstimator struct {
	schema    *ast.Schema
	facts     schemaFacts
	limits    Limits
	doc       *ast.QueryDocument
	variables map[string]any
	fragments map[fragmentUse]int // cost
}

// page carries the number of entries from a connection to its lists: edges, nodes and parts of them. Other fields have
// the zero page.
type page struct {
	connection bool
	entries    int
}

// fragmentUse is a fragment below a field.
type fragmentUse struct {
	fragment string
	page
}

// set returns the cost of a selection set and stops above the limit. An object has one type, so only the most expensive
// object type among the fragments counts.
func (c *costEstimator) set(set ast.SelectionSet, parent page) int {
	total, highest := 0, 0
	var byType map[string]int
	for _, selection := range set {
		if c.skips(directivesOf(selection)) {
			continue
		}
		var cost int
		var on string
		switch s := selection.(type) {
		case *ast.Field:
			cost = c.field(s, parent)
		case *ast.InlineFragment:
			cost, on = c.set(s.SelectionSet, parent), s.TypeCondition
		case *ast.FragmentSpread:
			cost, on = c.fragment(s.Name, parent)
		}
		if def := c.schema.Types[on]; def != nil && def.Kind == ast.Object {
			if byType == nil {
				byType = map[string]int{}
			}
			byType[on] += cost
			highest = max(highest, byType[on])
		} else {
			total += cost
		}
		if total+highest > c.limits.Cost {
			break
		}
	}
	return total + highest
}

// fragment returns the cost of a fragment and its type condition.
func (c *costEstimator) fragment(name string, parent page) (int, string) {
	def := c.doc.Fragments.ForName(name)
	if def == nil {
		return 0, ""
	}
	key := fragmentUse{name, parent}
	cost, ok := c.fragments[key]
	if !ok {
		cost = c.set(def.SelectionSet, parent)
		c.fragments[key] = cost
	}
	return cost, def.TypeCondition
}

// field returns the cost of a field, at most the limit plus 1, so that products of lengths cannot overflow.
func (c *costEstimator) field(f *ast.Field, parent page) int {
	size := c.facts.fields[f.Definition].size
	var below page
	if f.Definition != nil && strings.HasSuffix(f.Definition.Type.Name(), connectionSuffix) {
		below = page{connection: true, entries: c.pageSize(f, size)}
	}
	cost := size.record + c.set(f.SelectionSet, below)
	if f.ObjectDefinition != nil && isIntrospection(f.ObjectDefinition.Name) {
		cost = introspectionCost(c.schema, f, cost)
	} else if f.Definition != nil && f.Definition.Type.Elem != nil {
		if parent.connection {
			cost *= parent.entries
		} else {
			cost *= c.entries(f, size)
		}
	}
	if f.Name == "__schema" || f.Name == "__type" {
		cost *= introspectionWeight
	}
	return min(1+aliasCost(f)+size.reads+cost, c.limits.Cost+1)
}

// aliasBytes is the number of letters of an alias included in the cost of a field: longer than the schema's names and
// usual aliases.
const aliasBytes = 32

// aliasCost returns the extra cost of a long alias, which the response repeats for each entry.
func aliasCost(f *ast.Field) int {
	if f.Alias == f.Name {
		return 0
	}
	return (len(f.Alias) - 1) / aliasBytes
}

// introspectionWeight is the cost of one introspection field. Each is resolved separately, while plans write most of
// the data. With this weight a unit takes about 4 ms, like a page.
const introspectionWeight = 3

const connectionSuffix = "Connection"

func (c *costEstimator) pageSize(f *ast.Field, size listSize) int {
	for _, name := range []string{"first", "last"} {
		if n, ok := parseInteger(c.argument(f, name)); ok && n > 0 {
			return int(min(n, int64(size.most)))
		}
	}
	if size.assumed > 0 {
		return size.assumed
	}
	return c.limits.PageSize
}

// entries returns the length of a list, from its arguments or else from the schema.
func (c *costEstimator) entries(f *ast.Field, size listSize) int {
	if size.by != "" {
		switch v := c.argument(f, size.by).(type) {
		case nil:
		case []any:
			return max(len(v), 1)
		default:
			if n, ok := parseInteger(v); ok && n > 0 {
				return int(min(n, int64(size.most)))
			}
			return 1 // a single value is a list of one; invalid values are rejected later
		}
	}
	if size.assumed > 0 {
		return size.assumed
	}
	return c.limits.ListSize
}

// argument returns the value of an argument with variables and defaults applied, or nil.
func (c *costEstimator) argument(f *ast.Field, name string) any {
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

// skips reports whether @skip or @include leaves a selection out.
func (c *costEstimator) skips(directives ast.DirectiveList) bool {
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
