package graph

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"
)

// The root field, and its argument, by which an operation is priced instead of run.
const (
	dryRunField    = "rateLimit"
	dryRunArgument = "dryRun"
)

// DryRun returns what runs of an operation that selects `rateLimit(dryRun: true)`: its fields `rateLimit` and nothing
// else, free of charge. It returns nil for any other operation. The variables may be as the request sent them.
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
	out.Def, out.Policy, out.plans, out.priced = &def, e.policies.of(op.Doc, &def), newPlanCache(&def, op.Doc), op
	return &out
}

// ChargesOf returns what the operation of a resolver is charged, by bucket; in a dry run, what it would be charged.
func ChargesOf(ctx context.Context) map[string]int {
	r := runOf(ctx)
	if r == nil {
		return nil
	}
	op := r.operation
	if op.priced != nil {
		op = op.priced
	}
	charges, _ := r.executor.Charges(op, r.variables) // it was charged, so it has no error
	return charges
}
