package rest

import (
	_ "embed"
	"fmt"
	"maps"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"gamedata/internal/tabular"
)

//go:embed directives.graphqls
var directives string

// Operation is a fixed operation made ready: a public document to run, a plan to read its
// variables from a request, and a plan to turn its data into a body and back.
type Operation struct {
	// Name is the operation's name, which is also its file's.
	Name string

	doc        *ast.QueryDocument
	def        *ast.OperationDefinition
	root       *field
	parameters []*parameter // all variables but that of the body
	byType     bool         // some fields are those of a type alone
	table      string       // path of the list that is answered as a table too; empty when none is
	schema     *ast.Schema
	document   string
}

// Compile reads an operation of the adapter and checks it against the public schema. It
// must be the only one of its text, and select exactly one root field.
func Compile(schema *ast.Schema, name, source string) (*Operation, error) {
	adapter, err := withDirectives(schema)
	if err != nil {
		return nil, err
	}
	doc, err := parser.ParseQuery(&ast.Source{Name: name, Input: source})
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
	}
	if errs := validator.ValidateWithRules(adapter, doc, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, fmt.Errorf("operation %s: %w", name, errs)
	}
	if len(doc.Operations) != 1 || doc.Operations[0].Name != name || doc.Operations[0].Operation != ast.Query {
		return nil, fmt.Errorf("operation %s: the file must hold one query of its own name", name)
	}
	op := &Operation{Name: name, doc: doc, def: doc.Operations[0], schema: schema}
	roots, err := op.fields(op.def.SelectionSet)
	if err == nil && len(roots) != 1 {
		err = fmt.Errorf("selects %d root fields, want 1", len(roots))
	}
	if err == nil {
		err = op.readVariables()
	}
	if err == nil {
		op.root = roots[0]
		err = op.root.checkHeaders(true)
	}
	if err == nil && op.def.Directives.ForName("table") != nil {
		op.table, err = tabular.Choose(op.def, "")
	}
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
	}
	op.strip()
	return op, nil
}

// withDirectives is the public schema with the adapter's own definitions beside it.
func withDirectives(public *ast.Schema) (*ast.Schema, error) {
	doc, err := parser.ParseSchema(&ast.Source{Name: "directives.graphqls", Input: directives})
	if err != nil {
		return nil, err
	}
	s := *public
	s.Types, s.Directives = maps.Clone(public.Types), maps.Clone(public.Directives)
	for _, d := range doc.Definitions {
		s.Types[d.Name] = d
	}
	for _, d := range doc.Directives {
		s.Directives[d.Name] = d
	}
	return &s, nil
}
