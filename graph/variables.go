package graph

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coerceVariables reads the variables of an operation as the specification's
// CoerceVariableValues does: strictly by their declared types, with defaults for those left
// out. Numbers may be json.Number and stay exact. Custom scalars are passed on as given;
// they are read where they are used. The caller's values are left as they are, unknown ones
// are ignored. An error has the code BAD_VARIABLES and names where the value stands.
func coerceVariables(schema *ast.Schema, op *Operation, given map[string]any) (map[string]any, *gqlerror.Error) {
	out := make(map[string]any, len(op.Def.VariableDefinitions))
	for _, def := range op.Def.VariableDefinitions {
		c := coercer{schema: schema, def: def}
		value, sent := given[def.Variable]
		if !sent && def.DefaultValue != nil {
			literal, err := def.DefaultValue.Value(nil)
			if err != nil {
				return nil, c.refuse("$"+def.Variable, "has a default out of range")
			}
			value, sent = literal, true
		}
		if !sent {
			if def.Type.NonNull {
				return nil, c.refuse("$"+def.Variable, "is missing")
			}
			continue
		}
		// Thanks to a default, a nullable variable may stand where null may not: in @skip, for one.
		if value == nil && requires(op, def.Variable) {
			return nil, c.refuse("$"+def.Variable, "may not be null")
		}
		coerced, err := c.value("$"+def.Variable, def.Type, value)
		if err != nil {
			return nil, err
		}
		out[def.Variable] = coerced
	}
	return out, nil
}

// coercer reads the value of one variable.
type coercer struct {
	schema *ast.Schema
	def    *ast.VariableDefinition
}

func (c coercer) value(at string, typ *ast.Type, v any) (any, *gqlerror.Error) {
	if v == nil {
		if typ.NonNull {
			return nil, c.refuse(at, "may not be null")
		}
		return nil, nil
	}
	if typ.Elem != nil {
		return c.list(at, typ.Elem, v)
	}
	def := c.schema.Types[typ.NamedType]
	if def == nil {
		return nil, c.refuse(at, "has no type of the schema")
	}
	switch def.Kind {
	case ast.InputObject:
		return c.object(at, def, v)
	case ast.Enum:
		if s, ok := v.(string); ok && def.EnumValues.ForName(s) != nil {
			return s, nil
		}
		return nil, c.refuse(at, "must be a value of "+def.Name)
	}
	if v, ok := scalar(def.Name, v); ok {
		return v, nil
	}
	return nil, c.refuse(at, "must be of type "+def.Name)
}

// list reads a list; one value alone is a list of one.
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

// object reads an input object. Defaults of its fields are filled in where it is used.
func (c coercer) object(at string, def *ast.Definition, v any) (any, *gqlerror.Error) {
	given, ok := v.(map[string]any)
	if !ok {
		return nil, c.refuse(at, "must be an object of type "+def.Name)
	}
	out := make(map[string]any, len(given))
	for _, field := range def.Fields {
		value, sent := given[field.Name]
		if !sent {
			if field.Type.NonNull && field.DefaultValue == nil {
				return nil, c.refuse(at+"."+field.Name, "is missing")
			}
			continue
		}
		var err *gqlerror.Error
		if out[field.Name], err = c.value(at+"."+field.Name, field.Type, value); err != nil {
			return nil, err
		}
	}
	if len(out) < len(given) {
		return nil, c.refuse(at, "has a field that "+def.Name+" does not know")
	}
	return out, nil
}

// scalar reads a value of a scalar type; ok is false when it does not fit.
func scalar(typ string, v any) (_ any, ok bool) {
	switch typ {
	case "String":
		_, ok = v.(string)
		return v, ok
	case "Boolean":
		_, ok = v.(bool)
		return v, ok
	case "Int":
		n, ok := wholeNumber(v)
		return n, ok && n >= math.MinInt32 && n <= math.MaxInt32
	case "ID":
		if s, ok := v.(string); ok {
			return s, true
		}
		n, ok := wholeNumber(v)
		return strconv.FormatInt(n, 10), ok
	case "Float":
		switch v := v.(type) {
		case json.Number:
			f, err := v.Float64()
			return f, err == nil
		case float64:
			return v, true
		}
		n, ok := wholeNumber(v)
		return float64(n), ok
	}
	return v, true
}

// wholeNumber reads an integer of 64 bits in any form that JSON decoding or Go gives it.
// A number written with a fraction or an exponent counts when it is whole: 1e3.
func wholeNumber(v any) (int64, bool) {
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
		if f, err := v.Float64(); err == nil && slices.ContainsFunc([]byte(v), func(c byte) bool {
			return c == '.' ||
				c == 'e' || c == 'E'
		}) {
			return wholeNumber(f)
		}
	}
	return 0, false
}

// refuse words an error about a value without repeating it.
func (c coercer) refuse(at, problem string) *gqlerror.Error {
	return refusal(BadVariables, c.def.Position, "The variable "+shorten(at)+" "+problem+".")
}
