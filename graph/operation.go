package graph

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Operation is one executable operation. It is read-only and may run any number of times,
// concurrently too.
type Operation struct {
	// Name is the operation's name, empty for an anonymous one.
	Name string
	// Doc is the validated document that contains the operation.
	Doc *ast.QueryDocument
	// Def is the operation in Doc; its Operation says whether it is a query or a mutation.
	Def *ast.OperationDefinition
	// Policy combines the policies of the operation's root fields.
	Policy Policy
	// Hash identifies document and operation: texts that differ only in white space, commas and
	// comments have the same. Empty for a prepared document.
	Hash string
	// Source names the API that the operation serves, as in ReadStats; set by the operation's owner.
	Source string

	plans *planCache
}

// newOperation selects an operation of a validated document; an empty name selects the only one.
func newOperation(doc *ast.QueryDocument, name string, policies policies) (*Operation, *gqlerror.Error) {
	if len(doc.Operations) == 0 {
		return nil, documentError(ValidationFailed, nil, "The document has no operation.")
	}
	if name == "" && len(doc.Operations) > 1 {
		return nil, documentError(ValidationFailed, nil,
			"The document has several operations: select one with operationName.")
	}
	def := doc.Operations[0]
	if name != "" {
		if def = doc.Operations.ForName(name); def == nil {
			return nil, documentError(ValidationFailed, nil, "The document has no operation with the name in operationName.")
		}
	}
	if def.Operation == ast.Subscription {
		return nil, documentError(ValidationFailed, def.Position, "Subscriptions are not supported.")
	}
	return &Operation{
		Name: def.Name, Doc: doc, Def: def, Policy: policies.of(doc, def), plans: newPlanCache(def, doc),
	}, nil
}

func prepareOperation(doc *ast.QueryDocument, policies policies) (*Operation, error) {
	op, err := newOperation(doc, "", policies)
	if err != nil {
		return nil, err
	}
	for _, selection := range op.Def.SelectionSet {
		if f, ok := selection.(*ast.Field); ok && f.Definition == nil {
			return nil, fmt.Errorf("graph: the operation %q was not validated", op.Name)
		}
	}
	return op, nil
}

// removeDefer removes @defer, as the specification allows: every response is complete.
func removeDefer(doc *ast.QueryDocument) {
	isDefer := func(d *ast.Directive) bool { return d.Name == "defer" }
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				walk(s.SelectionSet)
			case *ast.InlineFragment:
				s.Directives = slices.DeleteFunc(s.Directives, isDefer)
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				s.Directives = slices.DeleteFunc(s.Directives, isDefer)
			}
		}
	}
	for _, op := range doc.Operations {
		walk(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		walk(f.SelectionSet)
	}
}
