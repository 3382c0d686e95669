package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Price tells what an operation is charged with these variables, by bucket. Each root field
// costs 1 for every Limits.UnitFields fields that its part of the answer may hold, begun ones
// whole; root fields of one response key are one. What @skip and @include leave out costs
// nothing, and neither do fields the schema calls free. An operation that asks nothing with a
// bucket costs 1 in SHARED. The map is empty when it asks only for what is free.
//
// Variables may be as they were sent: one that does not fit its type is refused by Run.
// An operation above Limits.Cost is refused here, so only what has a price may be run.
func (e *Executor) Price(op *Operation, variables map[string]any) (map[string]int, *gqlerror.Error) {
	c := &coster{e: e, doc: op.Doc, variables: variables, known: map[weighed]int{}}
	asked := map[string]FieldPolicy{}
	weights := map[string]int{}
	spread := map[string]bool{}
	total := 0
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				field, ok := e.policies[s.Name]
				if !ok || total > e.limits.Cost || c.skips(s.Directives) {
					continue
				}
				weight := c.field(s, ruled{})
				asked[s.Alias] = field
				weights[s.Alias] += weight
				total += weight
			case *ast.InlineFragment:
				if !c.skips(s.Directives) {
					walk(s.SelectionSet)
				}
			case *ast.FragmentSpread:
				if f := op.Doc.Fragments.ForName(s.Name); f != nil && !spread[s.Name] && !c.skips(s.Directives) {
					spread[s.Name] = true
					walk(f.SelectionSet)
				}
			}
		}
	}
	walk(op.Def.SelectionSet)
	if total > e.limits.Cost {
		return nil, e.tooDear(op.Def, total)
	}
	charges := map[string]int{}
	for alias, field := range asked {
		if !field.Free {
			charges[field.Bucket] += (weights[alias] + e.limits.UnitFields - 1) / e.limits.UnitFields
		}
	}
	if len(asked) == 0 {
		charges[sharedBucket] = 1
	}
	return charges, nil
}
