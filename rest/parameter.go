package rest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/model"
)

// parameter is a variable that a path segment or a query parameter sets.
type parameter struct {
	name, typ string
	preset    any    // default, nil if there is none
	lenient   bool   // an invalid value counts as absent
	flag      string // the flag that sets it to whenFlag, or empty
	whenFlag  any
	absent    string            // the value that counts as absent, or empty
	only      bool              // only the flag sets it
	min, max  int64             // of an integer
	values    map[string]string // of an enum: name in requests → value
	names     []string          // names in the order of the enum
	list      bool              // of an enum: the variable is a list, and a request sets one value
	choice    string            // names in a sentence: a, b or c
	unknown   *graph.Error      // the error for an unknown path segment
}

// read converts the sent values to the value of the variable, or nil without one.
func (p *parameter) read(sent []string) (any, *graph.Error) {
	switch {
	case p.only:
		return p.preset, nil
	case p.lenient:
		return p.readLenient(sent), nil
	case len(sent) > 1:
		return nil, graph.Errorf(graph.InvalidQueryParams, "%s may be sent once.", p.name)
	case p.typ == "Boolean":
		if len(sent) > 0 && sent[0] != "" {
			return nil, graph.Errorf(graph.InvalidQueryParams, "%s is a flag and takes no value.", p.name)
		}
		return len(sent) > 0, nil
	case len(sent) == 0:
		return p.preset, nil
	}
	return p.value(sent[0])
}

const (
	// unknownNumber and unknownUUID replace path segments that are not a number or a uuid. No object has them, so the
	// endpoint responds as to an unknown number or uuid.
	unknownNumber = -1
	unknownUUID   = "00000000-0000-0000-0000-000000000000"
)

// segment converts a path segment to the value of the variable, or nil if the segment counts as absent.
func (p *parameter) segment(s string) (any, *graph.Error) {
	if p.values == nil {
		return p.plainSegment(s), nil
	}
	if value, ok := p.values[strings.ToLower(s)]; ok {
		return value, nil
	}
	return nil, p.unknown
}

// plainSegment is segment for a variable that is not an enum.
func (p *parameter) plainSegment(s string) any {
	switch {
	case p.absent != "" && s == p.absent:
		return nil
	case p.typ == "Int":
		if n, ok := parseInt32(s); ok && strconv.FormatInt(n, 10) == s {
			return n
		}
		return unknownNumber
	case p.typ == "UUID":
		if uuid, ok := model.ParseUUID(s); ok {
			return uuid
		}
		return unknownUUID
	case p.name == "username": // or a uuid; all its spellings share one cache entry
		if uuid, ok := model.ParseUUID(s); ok {
			return uuid
		}
	}
	return s
}

// value parses the only value sent.
func (p *parameter) value(s string) (any, *graph.Error) {
	switch {
	case p.typ == "Int":
		if n, ok := parseInt32(s); ok && p.min <= n && n <= p.max {
			return n, nil
		}
		if p.max < math.MaxInt32 {
			return nil, graph.Errorf(graph.InvalidQueryParams, "%s must be an integer, %d to %d.", p.name, p.min, p.max)
		}
		return nil, graph.Errorf(graph.InvalidQueryParams, "%s must be an integer, %d or more.", p.name, p.min)
	case p.values != nil:
		value, ok := p.values[s]
		switch {
		case !ok:
			return nil, graph.Errorf(graph.InvalidQueryParams, "%s must be %s.", p.name, p.choice)
		case p.list:
			return []any{value}, nil
		}
		return value, nil
	case s == "" || s == invalidSegment:
		return nil, graph.Errorf(graph.InvalidQueryParams, "%s must not be empty or hold control characters.", p.name)
	}
	return s, nil
}

// readLenient reads one integer and clamps it to 32 bits. Anything else counts as absent.
func (p *parameter) readLenient(sent []string) any {
	if len(sent) != 1 || strings.HasPrefix(sent[0], "+") {
		return p.preset
	}
	n, err := strconv.ParseInt(sent[0], 10, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return p.preset
	}
	return n
}

// parseInt32 parses a decimal 32-bit number. It rejects a plus sign.
func parseInt32(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return n, err == nil && s[0] != '+'
}

// setVariables sets the parameters and the body variable. It fails if no part of a request can set a variable.
func (op *Operation) setVariables() error {
	for _, v := range op.Definition().VariableDefinitions {
		if v.Definition.Kind != ast.InputObject {
			p, err := newParameter(v)
			if err != nil {
				return fmt.Errorf("$%s: %w", v.Variable, err)
			}
			op.parameters = append(op.parameters, p)
			if p.flag != "" && op.Definition().VariableDefinitions.ForName(p.flag) == nil {
				return fmt.Errorf("$%s: there is no flag $%s", v.Variable, p.flag)
			}
			continue
		}
		if op.body != nil || len(v.Directives) > 0 || v.Type.Elem != nil {
			return fmt.Errorf("$%s: only one variable can take the body, an input object without directives", v.Variable)
		}
		op.body = v
		for _, f := range v.Definition.Fields {
			if name := f.Type.Name(); f.Type.Elem == nil || f.Type.NonNull || name != "String" && name != "Int" {
				return fmt.Errorf("$%s: the filter %s must be a nullable list of String or Int", v.Variable, f.Name)
			}
		}
	}
	return nil
}

// newParameter compiles a variable that a query string or a path segment sets.
func newParameter(v *ast.VariableDefinition) (*parameter, error) {
	p := &parameter{name: v.Variable, typ: v.Type.Name(), min: 1, max: math.MaxInt32}
	lenient, limits := v.Directives.ForName("lenient"), v.Directives.ForName("accepts")
	kind := v.Definition.Kind
	switch {
	case v.Type.Elem != nil && (kind != ast.Enum || v.DefaultValue != nil):
		return nil, errors.New("a request cannot set a list, except one of an enum without a default")
	case kind != ast.Enum && !slices.Contains([]string{"Boolean", "Int", "String", "UUID"}, p.typ):
		return nil, fmt.Errorf("a request cannot set a %s", p.typ)
	case (lenient != nil || limits != nil) && p.typ != "Int" || lenient != nil && limits != nil:
		return nil, errors.New("want an Int with @lenient or with @accepts")
	case lenient != nil && v.Type.NonNull && v.DefaultValue == nil:
		return nil, errors.New("@lenient requires a nullable variable or a default")
	}
	p.lenient, p.list = lenient != nil, v.Type.Elem != nil
	if d := v.Directives.ForName("absent"); d != nil {
		p.absent = d.Arguments.ForName("value").Value.Raw
	}
	if kind == ast.Enum {
		if err := p.setValues(v.Definition.EnumValues); err != nil {
			return nil, err
		}
	}
	if d := v.Directives.ForName("unknown"); d != nil {
		name := d.Arguments.ForName("error").Value.Raw
		p.unknown = rejections[name]
		if p.unknown == nil || kind != ast.Enum {
			return nil, fmt.Errorf("@unknown requires an enum and an error, not %q", name)
		}
	}
	if d := v.Directives.ForName("whenFlag"); d != nil {
		if p.typ != "Int" {
			return nil, errors.New("@whenFlag requires an Int")
		}
		p.flag, p.whenFlag = d.Arguments.ForName("flag").Value.Raw, json.Number(d.Arguments.ForName("value").Value.Raw)
		if only := d.Arguments.ForName("only"); only != nil {
			p.only = only.Value.Raw == "true"
		}
	}
	if limits != nil {
		var bad bool
		for name, limit := range map[string]*int64{"min": &p.min, "max": &p.max} {
			n, ok := parseInt32(limits.Arguments.ForName(name).Value.Raw)
			*limit, bad = n, bad || !ok
		}
		if bad || p.min > p.max {
			return nil, errors.New("@accepts requires two integers of 32 bits, the smaller one first")
		}
	}
	return p, p.setDefault(v.DefaultValue)
}

// setDefault sets the default of a variable.
func (p *parameter) setDefault(v *ast.Value) error {
	switch {
	case v == nil || v.Kind == ast.NullValue:
	case p.typ == "Int":
		if n, ok := parseInt32(v.Raw); !p.lenient && (!ok || n < p.min || n > p.max) {
			return fmt.Errorf("the default %s is out of range", v.Raw)
		}
		p.preset = json.Number(v.Raw)
	default:
		p.preset = v.Raw
	}
	return nil
}

// setValues sets the values of an enum, which requests write in lower case.
func (p *parameter) setValues(values ast.EnumValueList) error {
	p.values = map[string]string{}
	for _, v := range values {
		name := strings.ToLower(v.Name)
		if _, twice := p.values[name]; twice {
			return fmt.Errorf("two values are %q in lower case", name)
		}
		p.values[name], p.names = v.Name, append(p.names, name)
	}
	last := len(p.names) - 1
	p.choice = strings.TrimPrefix(strings.Join(p.names[:last], ", ")+" or ", " or ") + p.names[last]
	return nil
}

// wrongValueError returns the error for an invalid query parameter, or nil if every value is valid.
func (p *parameter) wrongValueError() *graph.Error {
	wrong := ""
	if p.typ == "Boolean" {
		wrong = "true"
	}
	_, err := p.read([]string{wrong})
	return err
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
		def := op.Definition().VariableDefinitions.ForName(p.name)
		described := Parameter{
			Name: p.name, InPath: strings.Contains(row.Path+"/", "/{"+p.name+"}/"),
			Flag: p.typ == "Boolean", Min: p.min, Max: p.max,
			Default: p.preset, Lenient: p.lenient,
		}
		described.Description = cmp.Or(op.parameterTexts[p.name], op.Describes(p.name))
		if !described.InPath {
			described.Number = p.typ == "Int"
			described.err = p.wrongValueError()
		}
		for i, name := range p.names {
			described.Values = append(described.Values, Value{name, def.Definition.EnumValues[i].Description})
			if p.values[name] == p.preset {
				described.Default = name
			}
		}
		out = append(out, described)
	}
	return out
}
