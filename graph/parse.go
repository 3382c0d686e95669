package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// checks are the rules of the specification, in the forms that suggest no names: finding
// what was meant costs time, and a stranger's guess is no business of ours. The depth of
// introspection is bounded by Limits.
var checks = func() *rules.Rules {
	r := rules.NewDefaultRules()
	r.RemoveRule(rules.MaxIntrospectionDepth.Name)
	for name, quiet := range map[string]validator.Rule{
		rules.FieldsOnCorrectTypeRule.Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ScalarLeafsRule.Name:         rules.ScalarLeafsRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		r.ReplaceRule(name, quiet.RuleFunc)
	}
	return r
}()

// Parse reads an operation from a query text: limits first, then validation, so that nothing
// dear is done for a text that is refused. An empty operationName chooses the only operation.
// Errors carry code and place; a document already seen is not parsed again. What the operation
// costs depends on its variables: Price tells, and refuses what is too dear.
func (e *Executor) Parse(query, operationName string) (*Operation, gqlerror.List) {
	doc := e.documents.get(query)
	if doc == nil {
		var err gqlerror.List
		if doc, err = e.parse(query); err != nil {
			return nil, err
		}
	}
	if op := doc.operations[operationName]; op != nil {
		return op, nil
	}
	op, err := e.choose(doc.parsed, operationName)
	if err != nil {
		return nil, gqlerror.List{err}
	}
	return op, nil
}

// parse checks a text that was not seen before. A fault of the parser or the validator is
// contained and logged like one of a resolver.
func (e *Executor) parse(query string) (doc *document, errs gqlerror.List) {
	defer func() {
		if r := recover(); r != nil {
			ctx := context.Background()
			doc, errs = nil, gqlerror.List{e.present(ctx, recovered(ctx, r))}
		}
	}()
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Name: "query", Input: query}, e.limits.Tokens)
	if err != nil {
		return nil, gqlerror.List{e.parseError(err)}
	}
	nodes, tooLarge := checkSize(parsed, e.limits)
	if tooLarge != nil {
		return nil, gqlerror.List{tooLarge}
	}
	if errs := validator.ValidateWithRules(e.Schema(), parsed, checks); len(errs) > 0 {
		return nil, tidy(errs)
	}
	ignoreDefer(parsed)
	doc = e.newDocument(query, parsed)
	// A mutation may hold a password; it is not worth keeping.
	if !slices.ContainsFunc(parsed.Operations, isMutation) {
		e.documents.put(query, doc, nodes)
	}
	return doc, nil
}

func isMutation(op *ast.OperationDefinition) bool { return op.Operation == ast.Mutation }

// parseError tells a text that is too long from one that is no GraphQL.
func (e *Executor) parseError(err error) *gqlerror.Error {
	var at *ast.Position
	var g *gqlerror.Error
	message := err.Error()
	if errors.As(err, &g) {
		message = g.Message
		if len(g.Locations) > 0 {
			at = &ast.Position{Line: g.Locations[0].Line, Column: g.Locations[0].Column}
		}
	}
	if strings.Contains(message, "token limit") {
		return exceeded(at, "tokens", e.limits.Tokens+1, e.limits.Tokens,
			"The query has more than %d tokens, at most %d are allowed.", e.limits.Tokens, e.limits.Tokens)
	}
	return refusal(ParseFailed, at, withoutValues(message))
}

// maxProblems bounds what is told of one document.
const maxProblems = 10

// tidy keeps the first problems, in words that repeat no values.
func tidy(errs gqlerror.List) gqlerror.List {
	out := make(gqlerror.List, 0, min(len(errs), maxProblems))
	for _, err := range errs[:min(len(errs), maxProblems)] {
		out = append(out, &gqlerror.Error{
			Message: withoutValues(err.Message), Locations: err.Locations,
			Extensions: map[string]any{"code": string(ValidationFailed)},
		})
	}
	return out
}

func (e *Executor) choose(doc *ast.QueryDocument, name string) (*Operation, *gqlerror.Error) {
	if len(doc.Operations) == 0 {
		return nil, refusal(ValidationFailed, nil, "The document has no operation.")
	}
	if name == "" && len(doc.Operations) > 1 {
		return nil, refusal(ValidationFailed, nil, "The document has several operations: say which with operationName.")
	}
	def := doc.Operations[0]
	if name != "" {
		if def = doc.Operations.ForName(name); def == nil {
			return nil, refusal(ValidationFailed, nil, "The document has no operation of the name in operationName.")
		}
	}
	if def.Operation == ast.Subscription {
		return nil, refusal(ValidationFailed, def.Position, "Subscriptions are not served.")
	}
	return &Operation{Name: def.Name, Doc: doc, Def: def, Policy: e.policyOf(doc, def), choices: newChoices(def, doc)}, nil
}

// Prepare makes a fixed document, validated by its owner, runnable. It must hold exactly
// one operation; limits are for strangers and do not apply.
func (e *Executor) Prepare(doc *ast.QueryDocument) (*Operation, error) {
	if doc == nil {
		return nil, errors.New("graph: there is no document to prepare")
	}
	op, err := e.choose(doc, "")
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

// ignoreDefer removes @defer, as the specification lets a service do: every answer is whole.
func ignoreDefer(doc *ast.QueryDocument) {
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
