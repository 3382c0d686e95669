package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// parameter is a variable that a path segment or a query parameter sets.
type parameter struct {
	name     string
	reader   reader
	preset   any    // default, nil if there is none
	lenient  bool   // an invalid value counts as absent
	absent   string // the path segment that counts as absent, or empty
	flag     string // the flag that sets it to whenFlag, or empty
	whenFlag any
	only     bool // only the flag sets it
}

// query converts the values of a query parameter, or returns nil without a value.
func (p *parameter) query(sent []string) (any, *graph.Error) {
	switch {
	case p.only || len(sent) == 0 || len(sent) > 1 && p.lenient:
		return p.preset, nil
	case len(sent) > 1:
		return nil, graph.Errorf(graph.InvalidQueryParams, "%s may be sent once.", p.name)
	}
	value, err := p.reader.read(p.name, sent[0])
	if err != nil && p.lenient {
		return p.preset, nil
	}
	return value, err
}

// segment converts a path segment, or returns nil if the segment counts as absent.
func (p *parameter) segment(sent string) (any, *graph.Error) {
	if p.absent != "" && sent == p.absent {
		return nil, nil
	}
	return p.reader.segment(sent)
}

func (op *Operation) setVariables() {
	for _, v := range op.Definition().VariableDefinitions {
		if v.Definition.Kind == ast.InputObject {
			op.body = v
		} else {
			op.parameters = append(op.parameters, newParameter(v))
		}
	}
}

// newParameter compiles a variable that a query string or a path segment sets.
func newParameter(v *ast.VariableDefinition) *parameter {
	p := &parameter{name: v.Variable, reader: newReader(v), lenient: v.Directives.ForName("lenient") != nil}
	if d := v.Directives.ForName("absent"); d != nil {
		p.absent = d.Arguments.ForName("value").Value.Raw
	}
	if d := v.Directives.ForName("whenFlag"); d != nil {
		p.flag, p.whenFlag = d.Arguments.ForName("flag").Value.Raw, json.Number(d.Arguments.ForName("value").Value.Raw)
		only := d.Arguments.ForName("only")
		p.only = only != nil && only.Value.Raw == "true"
	}
	_, isFlag := p.reader.(presence)
	_, isNumber := p.reader.(number)
	switch preset := v.DefaultValue; {
	case isFlag:
		p.preset = false
	case preset == nil || preset.Kind == ast.NullValue:
	case isNumber:
		p.preset = json.Number(preset.Raw)
	default:
		p.preset = preset.Raw
	}
	return p
}

// Parameter describes a variable that a path segment or a query parameter sets.
type Parameter struct {
	Name   string
	InPath bool
	// Flag marks a parameter sent without a value, Number an integer from Min to Max. Any other parameter is a string,
	// and one of Values if there are any.
	Flag, Number bool
	Min, Max     int64
	Values       []Value
	// Default is a string, a json.Number or nil.
	Default any
	// Lenient says that an invalid value counts as absent.
	Lenient bool
	// Description comes from the argument that the variable sets; it is empty if only the transform uses the variable.
	Description string

	err *graph.Error // of an invalid value
}

// Value is a value that a parameter accepts.
type Value struct{ Name, Description string }

// Parameters describes the parameters of a row's requests, in the order of its operation's
// variables. A row without an operation has none.
func (row Row) Parameters(op *Operation) []Parameter {
	if op == nil {
		return nil
	}
	var out []Parameter
	for _, p := range op.parameters {
		if p.only {
			continue
		}
		described := Parameter{
			Name: p.name, InPath: strings.Contains(row.Path+"/", "/{"+p.name+"}/"), Default: p.preset, Lenient: p.lenient,
			Description: cmp.Or(op.parameterTexts[p.name], op.Describes(p.name)),
		}
		if !described.InPath {
			_, described.err = p.query([]string{invalidSegment})
		}
		switch r := p.reader.(type) {
		case presence:
			described.Flag, described.Default = true, nil
		case number:
			described.Number, described.Min, described.Max = !described.InPath, r.min, r.max
		case *enum:
			described.Values = r.listed
			if p.preset != nil {
				described.Default = strings.ToLower(fmt.Sprint(p.preset))
			}
		}
		out = append(out, described)
	}
	return out
}
