package rest

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/model"
)

// reader converts what requests send to the values of one type of variable.
type reader interface {
	// read converts the value of the query parameter name.
	read(name, sent string) (any, *graph.Error)
	// segment converts a path segment.
	segment(sent string) (any, *graph.Error)
}

func newReader(v *ast.VariableDefinition) reader {
	switch typ := v.Type.Name(); {
	case v.Definition.Kind == ast.Enum:
		return newEnum(v)
	case typ == "Int":
		return newNumber(v.Directives)
	case typ == "Boolean":
		return presence{}
	case typ == "UUID" || v.Variable == "username":
		return uuid{orName: typ != "UUID"}
	}
	return text{}
}

func invalidParameter(format string, args ...any) *graph.Error {
	return graph.Errorf(graph.InvalidQueryParams, format, args...)
}

// presence is true if the parameter is sent, without a value. No path has such a variable.
type presence struct{ text }

func (presence) read(name, sent string) (any, *graph.Error) {
	if sent != "" {
		return nil, invalidParameter("%s is a flag and takes no value.", name)
	}
	return true, nil
}

const (
	// unknownNumber and unknownUUID replace path segments that are not a number or a uuid. No object has them, so the
	// endpoint responds as to an unknown number or uuid.
	unknownNumber = -1
	unknownUUID   = "00000000-0000-0000-0000-000000000000"
)

// number is an integer of 32 bits.
type number struct {
	min, max int64
	clamps   bool // replaces a larger number by the largest, and a smaller one by the smallest
}

func newNumber(directives ast.DirectiveList) number {
	if directives.ForName("lenient") != nil {
		return number{math.MinInt32, math.MaxInt32, true}
	}
	limits := directives.ForName("accepts")
	if limits == nil {
		return number{min: 1, max: math.MaxInt32}
	}
	low, _ := parseInt32(limits.Arguments.ForName("min").Value.Raw)
	high, _ := parseInt32(limits.Arguments.ForName("max").Value.Raw)
	return number{min: low, max: high}
}

func (n number) read(name, sent string) (any, *graph.Error) {
	value, err := strconv.ParseInt(sent, 10, 32) // returns the nearest number with ErrRange
	if n.clamps && errors.Is(err, strconv.ErrRange) {
		err = nil
	}
	switch {
	case err == nil && sent[0] != '+' && n.min <= value && value <= n.max:
		return value, nil
	case n.max < math.MaxInt32:
		return nil, invalidParameter("%s must be an integer, %d to %d.", name, n.min, n.max)
	}
	return nil, invalidParameter("%s must be an integer, %d or more.", name, n.min)
}

// segment accepts one spelling of a number.
func (n number) segment(sent string) (any, *graph.Error) {
	value, ok := parseInt32(sent)
	if !ok || strconv.FormatInt(value, 10) != sent {
		return unknownNumber, nil
	}
	return value, nil
}

// parseInt32 parses a decimal 32-bit number. It rejects a plus sign.
func parseInt32(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return n, err == nil && s[0] != '+'
}

type text struct{}

func (text) read(name, sent string) (any, *graph.Error) {
	if sent == "" || sent == invalidSegment {
		return nil, invalidParameter("%s must not be empty or hold control characters.", name)
	}
	return sent, nil
}

func (text) segment(sent string) (any, *graph.Error) { return sent, nil }

// uuid is a uuid in a path. All its spellings share one cache entry.
type uuid struct {
	text
	orName bool // the path may contain a name instead
}

func (u uuid) segment(sent string) (any, *graph.Error) {
	parsed, ok := model.ParseUUID(sent)
	switch {
	case ok:
		return parsed, nil
	case u.orName:
		return sent, nil
	}
	return unknownUUID, nil
}

// enum is a value of an enum, which requests write in lower case.
type enum struct {
	values  map[string]string // by name in requests
	listed  []Value           // in the order of the enum
	isList  bool              // the variable is a list, and a request sets one value
	choice  string            // names in a sentence: a, b or c
	unknown *graph.Error      // the error for an unknown path segment
}

func newEnum(v *ast.VariableDefinition) *enum {
	e := &enum{values: map[string]string{}, isList: v.Type.Elem != nil}
	var names []string
	for _, value := range v.Definition.EnumValues {
		name := strings.ToLower(value.Name)
		e.values[name], names = value.Name, append(names, name)
		e.listed = append(e.listed, Value{name, value.Description})
	}
	last := len(names) - 1
	e.choice = strings.TrimPrefix(strings.Join(names[:last], ", ")+" or ", " or ") + names[last]
	if d := v.Directives.ForName("unknown"); d != nil {
		e.unknown = rejections[d.Arguments.ForName("error").Value.Raw]
	}
	return e
}

func (e *enum) read(name, sent string) (any, *graph.Error) {
	value, ok := e.values[sent]
	switch {
	case !ok:
		return nil, invalidParameter("%s must be %s.", name, e.choice)
	case e.isList:
		return []any{value}, nil
	}
	return value, nil
}

func (e *enum) segment(sent string) (any, *graph.Error) {
	if value, ok := e.values[strings.ToLower(sent)]; ok {
		return value, nil
	}
	return nil, e.unknown
}
