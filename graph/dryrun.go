package graph

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"
)

// The root field and its argument that price an operation instead of running it.
const (
	dryRunField    = "rateLimit"
	dryRunArgument = "dryRun"
)

// DryRun reduces an operation that selects `rateLimit(dryRun: true)` to its fields `rateLimit`, free of charge. It
// returns nil for any other operation. The variables may be unchecked.
func (e *Executor) DryRun(op *Operation, variables map[string]any) *Operation {
	c := &costEstimator{schema: e.Schema(), variables: variables}
	var selected ast.SelectionSet
	dry := false
	for _, f := range rootFields(op.Doc, op.Def, c.skips) {
		if f.Name != dryRunField {
			continue
		}
		selected = append(selected, f)
		dry = dry || c.argument(f, dryRunArgument) == true
	}
	if !dry {
		return nil
	}
	def := *op.Def
	def.SelectionSet = selected
	out := *op
	out.Def, out.Policy, out.plans, out.priced = &def, e.facts.policyOf(op.Doc, &def), newPlanCache(&def, op.Doc), op
	return &out
}

// ChargesOf returns the charges of a resolver's operation by bucket; in a dry run, the charges of the priced operation.
func ChargesOf(ctx context.Context) map[string]int {
	r := runOf(ctx)
	if r == nil {
		return nil
	}
	op := r.operation
	if op.priced != nil {
		op = op.priced
	}
	charges, _ := r.executor.Charges(op, r.variables) // cannot fail: the operation was charged before
	return charges
}
