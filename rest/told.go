package rest

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// Parameter is what a path segment or the query string gives a variable, told to those who
// describe requests.
type Parameter struct {
	Name   string
	InPath bool
	// Flag is sent without a value; Number is a whole number from Min to Max; anything else is
	// a text, one of Values when there are any.
	Flag, Number bool
	Min, Max     int64
	Values       []Value
	// Default is what an absent one means: a string, a json.Number, or nil.
	Default any
	// Lenient says that what cannot be read counts as absent.
	Lenient bool
	// Description is that of the argument it is for, empty when it only shapes the body.
	Description string

	refusal *graph.Error // of a wrong value
}

// Value is one that a parameter takes.
type Value struct{ Name, Description string }

// Parameters are those of a row's requests, in the order of its operation's variables. A row
// without an operation has none.
func (row Row) Parameters(op *Operation) []Parameter {
	if op == nil {
		return nil
	}
	var out []Parameter
	for _, p := range op.parameters {
		def := op.Definition().VariableDefinitions.ForName(p.name)
		told := Parameter{
			Name: p.name, InPath: strings.Contains(row.Path+"/", "/{"+p.name+"}/"),
			Flag: p.typ == "Boolean", Number: p.typ == "Int", Min: p.min, Max: p.max,
			Default: p.preset, Lenient: p.lenient,
		}
		if a := op.Argument(p.name); a != nil {
			told.Description = a.Description
		}
		if !told.InPath {
			told.refusal = p.refuse()
		}
		for i, written := range p.written {
			told.Values = append(told.Values, Value{written, def.Definition.EnumValues[i].Description})
			if p.values[written] == p.preset {
				told.Default = written
			}
		}
		out = append(out, told)
	}
	return out
}

// Body is the type of the JSON body: each of its fields is one value or a list of them. nil when
// requests have no body.
func (op *Operation) Body() *ast.Definition {
	if op.body == nil {
		return nil
	}
	return op.body.Definition
}
