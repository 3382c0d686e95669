package graph

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph/model"
)

// coerceVariables implements the specification's CoerceVariableValues: strictly by declared types,
// with defaults for missing values. Numbers may be json.Number and stay exact. Unknown variables are
// ignored, and given is not changed. An error has the code BAD_VARIABLES and names the path of the value.
//
// gqlparser's VariableValues accepts numbers for strings and strings for numbers, enum values in any case and 64-bit
// integers for Int. It rejects 1e3, repeats values in errors, and changes the lists and objects it is given.
func coerceVariables(schema *ast.Schema, op *Operation, given map[string]any) (map[string]any, *gqlerror.Error) {
	out := make(map[string]any, len(op.Def.VariableDefinitions))
	for _, def := range op.Def.VariableDefinitions {
		c := coercer{schema: schema, def: def}
		value, sent := given[def.Variable]
		if !sent && def.DefaultValue != nil {
			literal, err := def.DefaultValue.Value(nil)
			if err != nil {
				return nil, c.invalid("$"+def.Variable, "has a default out of range")
			}
			value, sent = literal, true
		}
		if !sent {
			if def.Type.NonNull {
				return nil, c.invalid("$"+def.Variable, "is missing")
			}
			continue
		}
		// A nullable variable with a default may be used where null is not allowed, such as in @skip.
		if value == nil && requires(op, def.Variable) {
			return nil, c.invalid("$"+def.Variable, "may not be null")
		}
		coerced, err := c.value("$"+def.Variable, def.Type, value)
		if err != nil {
			return nil, err
		}
		out[def.Variable] = coerced
	}
	return out, nil
}

type coercer struct {
	schema *ast.Schema
	def    *ast.VariableDefinition
}

func (c coercer) value(at string, typ *ast.Type, v any) (any, *gqlerror.Error) {
	if v == nil {
		if typ.NonNull {
			return nil, c.invalid(at, "may not be null")
		}
		return nil, nil
	}
	if typ.Elem != nil {
		return c.list(at, typ.Elem, v)
	}
	def := c.schema.Types[typ.NamedType]
	if def == nil {
		return nil, c.invalid(at, "has an unknown type")
	}
	switch def.Kind {
	case ast.InputObject:
		return c.object(at, def, v)
	case ast.Enum:
		if s, ok := v.(string); ok && def.EnumValues.ForName(s) != nil {
			return s, nil
		}
		name, _ := v.(string)
		return nil, c.invalid(at, "must be a value of "+def.Name+"."+suggestion(name, enumValues(def)))
	}
	if v, ok := scalar(def.Name, v); ok {
		return v, nil
	}
	return nil, c.invalid(at, "must be of type "+def.Name)
}

// list coerces a list; a single value becomes a list of one.
func (c coercer) list(at string, elem *ast.Type, v any) (any, *gqlerror.Error) {
	var items []any
	switch v := v.(type) {
	case []any:
		items = v
	case []string:
		for _, s := range v {
			items = append(items, s)
		}
	default:
		items = []any{v}
	}
	out := make([]any, len(items))
	for i, item := range items {
		var err *gqlerror.Error
		if out[i], err = c.value(at+"["+strconv.Itoa(i)+"]", elem, item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// object coerces an input object. gqlgen applies the defaults of its fields.
func (c coercer) object(at string, def *ast.Definition, v any) (any, *gqlerror.Error) {
	given, ok := v.(map[string]any)
	if !ok {
		return nil, c.invalid(at, "must be an object of type "+def.Name)
	}
	out := make(map[string]any, len(given))
	values := 0
	for _, field := range def.Fields {
		value, sent := given[field.Name]
		if !sent {
			if field.Type.NonNull && field.DefaultValue == nil {
				return nil, c.invalid(at+"."+field.Name, "is missing")
			}
			continue
		}
		if value != nil {
			values++
		}
		var err *gqlerror.Error
		if out[field.Name], err = c.value(at+"."+field.Name, field.Type, value); err != nil {
			return nil, err
		}
	}
	// Validation has checked objects in the text of the document.
	if def.Directives.ForName("oneOf") != nil && (len(given) != 1 || values != 1) {
		return nil, c.invalid(at, "must have exactly one member, which may not be null")
	}
	if len(out) < len(given) {
		return nil, c.invalid(at, "has an unknown field: see "+def.Name+"."+unknownFieldSuggestion(given, def))
	}
	return out, nil
}

// unknownFieldSuggestion suggests fields for the first unknown member of an object.
func unknownFieldSuggestion(given map[string]any, def *ast.Definition) string {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if def.Fields.ForName(name) == nil {
			return suggestion(name, fieldNames(def))
		}
	}
	return ""
}

// scalar coerces a value of a scalar type; ok is false if it does not fit.
func scalar(typ string, v any) (_ any, ok bool) {
	switch typ {
	case "String":
		_, ok = v.(string)
		return v, ok
	case "Boolean":
		_, ok = v.(bool)
		return v, ok
	case "Int":
		n, ok := parseInteger(v)
		return n, ok && n >= math.MinInt32 && n <= math.MaxInt32
	case "Int64":
		return parseInteger(v)
	case "DateTime":
		_, err := model.UnmarshalDateTime(v)
		return v, err == nil
	case "UUID":
		id, err := model.UnmarshalUUID(v)
		return id, err == nil
	case "ID":
		if s, ok := v.(string); ok {
			return s, true
		}
		n, ok := parseInteger(v)
		return strconv.FormatInt(n, 10), ok
	case "Float":
		switch v := v.(type) {
		case json.Number:
			f, err := v.Float64()
			return f, err == nil
		case float64:
			return v, true
		}
		n, ok := parseInteger(v)
		return float64(n), ok
	}
	return v, true
}

// parseInteger returns a 64-bit integer from any type that JSON decoding or Go code produces. A number with a fraction
// or an exponent is valid if it is whole: 1e3.
func parseInteger(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int32:
		return int64(v), true
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, true
		}
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return parseInteger(f)
		}
	}
	return 0, false
}

// invalid returns an error about a value without repeating the value.
func (c coercer) invalid(at, problem string) *gqlerror.Error {
	if !strings.HasSuffix(problem, "?") && !strings.HasSuffix(problem, ".") {
		problem += "."
	}
	return documentError(BadVariables, c.def.Position, "The variable "+shorten(at)+" "+problem)
}

// requires reports whether an operation uses a variable where null is not allowed. Validation permits
// that for nullable variables if the variable or the argument has a default.
func requires(op *Operation, variable string) (required bool) {
	walk(op.Doc, op.Def.SelectionSet, func(selection ast.Selection) bool {
		if f, ok := selection.(*ast.Field); ok && usedInArguments(f.Arguments, variable) {
			required = true
		}
		for _, d := range directivesOf(selection) {
			required = required || usedInArguments(d.Arguments, variable)
		}
		return !required
	})
	return required
}

func usedInArguments(list ast.ArgumentList, variable string) bool {
	return slices.ContainsFunc(list, func(a *ast.Argument) bool { return usedInValue(a.Value, variable) })
}

func usedInValue(v *ast.Value, variable string) bool {
	if v.Kind == ast.Variable {
		return v.Raw == variable && v.ExpectedType != nil && v.ExpectedType.NonNull
	}
	return slices.ContainsFunc(v.Children, func(c *ast.ChildValue) bool { return usedInValue(c.Value, variable) })
}
