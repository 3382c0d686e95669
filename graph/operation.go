package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// SourceGraphQL is the source of operations whose owner names no other API.
const SourceGraphQL = "graphql"

// Operation is one executable operation. It is read-only and may run any number of times, concurrently too.
type Operation struct {
	// Name is the operation's name, empty for an anonymous one.
	Name string
	// Doc is the validated document that contains the operation.
	Doc *ast.QueryDocument
	// Def is the operation in Doc; Def.Operation is query, mutation or subscription.
	Def *ast.OperationDefinition
	// Policy combines the policies of everything that the operation selects. The owner of a prepared operation may
	// replace it before the first run.
	Policy Policy
	// Hash identifies document and operation: texts that differ only in white space, commas and comments share a hash.
	// Empty for a prepared document.
	Hash string
	// Source names the API that the operation serves, as in ReadStats: SourceGraphQL unless the owner of a prepared
	// operation replaces it.
	Source string

	plans *planCache
	// priced is the operation whose cost this dry run computes; nil for other operations.
	priced *Operation
}

// IsMutation reports whether the operation is a mutation.
func (op *Operation) IsMutation() bool { return op.Def.Operation == ast.Mutation }

// IsSubscription reports whether the operation is a subscription.
func (op *Operation) IsSubscription() bool { return op.Def.Operation == ast.Subscription }

// noOperation says why a validated document has no operation for a name.
func noOperation(doc *ast.QueryDocument, name string) *gqlerror.Error {
	problem := "The document has no operation with the name in operationName."
	switch {
	case len(doc.Operations) == 0:
		problem = "The document has no operation."
	case name == "":
		problem = "The document has several operations: select one with operationName."
	}
	return documentError(ValidationFailed, nil, problem)
}

func newOperation(doc *ast.QueryDocument, def *ast.OperationDefinition, facts schemaFacts) *Operation {
	return &Operation{
		Name: def.Name, Doc: doc, Def: def, Policy: facts.policyOf(doc, def), Source: SourceGraphQL,
		plans: newPlanCache(def, doc),
	}
}

// walk visits selections depth-first, each fragment once, and descends where enter returns true.
func walk(doc *ast.QueryDocument, set ast.SelectionSet, enter func(ast.Selection) bool) {
	visited := map[string]bool{}
	var in func(ast.SelectionSet)
	in = func(set ast.SelectionSet) {
		for _, selection := range set {
			if !enter(selection) {
				continue
			}
			switch s := selection.(type) {
			case *ast.Field:
				in(s.SelectionSet)
			case *ast.InlineFragment:
				in(s.SelectionSet)
			case *ast.FragmentSpread:
				if f := doc.Fragments.ForName(s.Name); f != nil && !visited[s.Name] {
					visited[s.Name] = true
					in(f.SelectionSet)
				}
			}
		}
	}
	in(set)
}

func directivesOf(selection ast.Selection) ast.DirectiveList {
	switch s := selection.(type) {
	case *ast.Field:
		return s.Directives
	case *ast.InlineFragment:
		return s.Directives
	case *ast.FragmentSpread:
		return s.Directives
	}
	return nil
}

// rootFields returns the root fields of an operation, without selections that skips rejects. It visits each fragment
// once.
func rootFields(doc *ast.QueryDocument, def *ast.OperationDefinition, skips func(ast.DirectiveList) bool,
) (fields []*ast.Field) {
	walk(doc, def.SelectionSet, func(selection ast.Selection) bool {
		if skips(directivesOf(selection)) {
			return false
		}
		f, isField := selection.(*ast.Field)
		if isField {
			fields = append(fields, f)
		}
		return !isField
	})
	return fields
}
