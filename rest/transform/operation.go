// Package transform compiles fixed GraphQL operations into body transforms. Directives inside an operation define how
// its data becomes a documented JSON body. The compiled plan writes that body in one pass over the data, and reads a
// recorded body back into data. The package knows GraphQL and JSON but no HTTP.
package transform

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"

	"gamedata/internal/tabular"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

//go:embed directives.graphqls
var directives string

// Operation is a compiled operation: a public document to execute, and a plan that transforms
// its data into a body and back.
type Operation struct {
	// Name is the operation's name.
	Name string

	def      *ast.OperationDefinition // as written, with all directives on variables
	query    *ast.QueryDocument       // without our directives
	document string                   // text of query
	root     *field
	oneWay   bool   // bodies cannot be reversed
	table    string // path of the list also served as CSV and NDJSON; may be empty
	schema   *ast.Schema
	problems error
	// parameters maps an argument or input field of the root field to the variable that sets it.
	parameters map[string]string
}

// Parameter returns the variable that sets an argument of the root field or a field of its inputs, or "" if none does.
func (op *Operation) Parameter(argument string) string { return op.parameters[argument] }

// Compile parses an operation and validates it against the public schema extended by directives.graphqls. The source
// must contain one query of the given name with exactly one root field, and the fragments it spreads.
func Compile(schema *ast.Schema, name, source string) (*Operation, error) {
	op, err := compile(schema, name, source)
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
	}
	return op, nil
}

func compile(schema *ast.Schema, name, source string) (*Operation, error) {
	doc, err := parser.ParseQuery(&ast.Source{Name: name, Input: source})
	if err != nil {
		return nil, err
	}
	if errs := validator.ValidateWithRules(withDirectives(schema), doc, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, errs
	}
	if len(doc.Operations) != 1 || doc.Operations[0].Name != name || doc.Operations[0].Operation != ast.Query {
		return nil, fmt.Errorf("want exactly one query, named %s", name)
	}
	op := &Operation{Name: name, def: doc.Operations[0], schema: schema}
	op.oneWay = op.def.Directives.ForName("oneWay") != nil
	roots := op.fields(op.def.SelectionSet)
	if op.problems != nil {
		return nil, op.problems
	}
	if len(roots) != 1 {
		return nil, fmt.Errorf("selects %d root fields, want 1", len(roots))
	}
	op.root = roots[0]
	if !op.oneWay {
		op.reversible(op.root)
	}
	if op.def.Directives.ForName("table") != nil {
		if op.table, err = tabular.Outermost(op.def); err != nil {
			return nil, err
		}
	}
	op.setQuery(doc)
	return op, nil
}

// withDirectives returns a copy of the public schema extended by directives.graphqls.
func withDirectives(public *ast.Schema) *ast.Schema {
	doc, _ := parser.ParseSchema(&ast.Source{Name: "directives.graphqls", Input: directives})
	s := *public
	s.Types, s.Directives = maps.Clone(public.Types), maps.Clone(public.Directives)
	for _, d := range doc.Definitions {
		s.Types[d.Name] = d
	}
	for _, d := range doc.Directives {
		s.Directives[d.Name] = d
	}
	return &s
}

func (op *Operation) addParameters(name string, v *ast.Value) {
	if v.Kind == ast.Variable {
		op.parameters[name] = v.Raw
	}
	for _, child := range v.Children {
		op.addParameters(child.Name, child.Value)
	}
}

// setQuery sets the public document: without our directives and without the variables that only they use.
func (op *Operation) setQuery(doc *ast.QueryDocument) {
	used := map[string]bool{}
	stripped := map[string]bool{}
	var strip func(ast.SelectionSet)
	strip = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				s.Directives = standardDirectives(s.Directives)
				markArguments(s.Arguments, used)
				for _, d := range s.Directives {
					markArguments(d.Arguments, used)
				}
				strip(s.SelectionSet)
			case *ast.InlineFragment:
				strip(s.SelectionSet)
			case *ast.FragmentSpread:
				if !stripped[s.Name] {
					stripped[s.Name] = true
					strip(s.Definition.SelectionSet)
				}
			}
		}
	}
	strip(op.def.SelectionSet)
	op.parameters = map[string]string{}
	for _, a := range op.def.SelectionSet[0].(*ast.Field).Arguments { // compile checks that it is a field
		op.addParameters(a.Name, a.Value)
	}

	def := *op.def
	def.VariableDefinitions, def.Directives = nil, nil
	for _, v := range op.def.VariableDefinitions {
		if used[v.Variable] {
			public := *v
			public.Directives = nil
			def.VariableDefinitions = append(def.VariableDefinitions, &public)
		}
	}
	query := *doc
	query.Operations = ast.OperationList{&def}
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatQueryDocument(&query)
	op.query, op.document = &query, text.String()
}

// standardDirectives returns the directives of GraphQL itself.
func standardDirectives(list ast.DirectiveList) ast.DirectiveList {
	var out ast.DirectiveList
	for _, d := range list {
		if d.Name == "skip" || d.Name == "include" {
			out = append(out, d)
		}
	}
	return out
}

// markArguments adds the variables in arguments to a set.
func markArguments(arguments ast.ArgumentList, used map[string]bool) {
	for _, a := range arguments {
		markVariables(a.Value, used)
	}
}

func markVariables(v *ast.Value, used map[string]bool) {
	if v.Kind == ast.Variable {
		used[v.Raw] = true
	}
	for _, c := range v.Children {
		markVariables(c.Value, used)
	}
}

// Query returns the public document, which the executor runs.
func (op *Operation) Query() *ast.QueryDocument { return op.query }

// Document returns the text of the public document, which anyone can send to /graphql.
func (op *Operation) Document() string { return op.document }

// Hash returns the SHA-256 of Document in lower-case hex, as in persisted queries.
func (op *Operation) Hash() string {
	sum := sha256.Sum256([]byte(op.document))
	return hex.EncodeToString(sum[:])
}

// Definition returns the operation as written, including the directives on variables and the variables that only
// directives use.
func (op *Operation) Definition() *ast.OperationDefinition { return op.def }

// RootField returns the name of the root field. Reverse returns the value of that field.
func (op *Operation) RootField() string { return op.root.field.Name }

// Rejections returns the error names in all @reject directives.
func (op *Operation) Rejections() (names []string) {
	var walk func(*field)
	walk = func(f *field) {
		if f.Reject != nil {
			for _, name := range []string{f.Reject.Null, f.Reject.Empty, f.Reject.True} {
				if name != "" {
					names = append(names, name)
				}
			}
		}
		for _, c := range f.children {
			walk(c)
		}
	}
	walk(op.root)
	return names
}

// HasVariable reports whether the operation declares a variable.
func (op *Operation) HasVariable(name string) bool {
	return op.def.VariableDefinitions.ForName(name) != nil
}

// Describes returns the description of the argument or input field that a variable sets, or "" if the variable sets
// nothing.
func (op *Operation) Describes(variable string) string {
	var described string
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			f, ok := s.(*ast.Field)
			if !ok {
				continue
			}
			for _, a := range f.Arguments {
				def := f.Definition.Arguments.ForName(a.Name)
				if text, ok := op.describes(variable, a.Value, def.Description, def.Type); ok && described == "" {
					described = text
				}
			}
			walk(f.SelectionSet)
		}
	}
	walk(op.def.SelectionSet)
	return described
}

// describes is Describes within a value of a type.
func (op *Operation) describes(variable string, v *ast.Value, description string, t *ast.Type) (string, bool) {
	if v.Kind == ast.Variable && v.Raw == variable {
		return description, true
	}
	for _, c := range v.Children {
		description, of := description, t.Elem
		if v.Kind == ast.ObjectValue {
			f := op.schema.Types[t.Name()].Fields.ForName(c.Name)
			description, of = f.Description, f.Type
		}
		if of == nil {
			continue
		}
		if text, ok := op.describes(variable, c.Value, description, of); ok {
			return text, true
		}
	}
	return "", false
}

// Table returns the path of the list that the operation also serves as CSV and NDJSON, such as leaderboard.entries, or
// "" if it serves only JSON.
func (op *Operation) Table() string { return op.table }

// Variables returns the bound variables that the public document declares.
func (op *Operation) Variables(bound map[string]any) map[string]any {
	out := map[string]any{}
	for _, v := range op.query.Operations[0].VariableDefinitions {
		if value, ok := bound[v.Variable]; ok {
			out[v.Variable] = value
		}
	}
	return out
}
