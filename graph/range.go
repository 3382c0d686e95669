package graph

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// valueRange holds @range of an argument.
type valueRange struct {
	argument string
	min, max int
}

// readRanges reads @range of the arguments of every field.
func readRanges(schema *ast.Schema) (map[*ast.FieldDefinition][]valueRange, error) {
	out := map[*ast.FieldDefinition][]valueRange{}
	var problems []error
	for _, def := range schema.Types {
		for _, field := range def.Fields {
			for _, arg := range field.Arguments {
				r, err := readRange(arg)
				if err != nil {
					problems = append(problems, fmt.Errorf("graph: @range of %s.%s(%s:) %w", def.Name, field.Name, arg.Name, err))
				}
				if r != (valueRange{}) {
					out[field] = append(out[field], r)
				}
			}
		}
	}
	return out, errors.Join(problems...)
}

func readRange(arg *ast.ArgumentDefinition) (valueRange, error) {
	d := arg.Directives.ForName("range")
	if d == nil {
		return valueRange{}, nil
	}
	low, err := strconv.Atoi(argument(d, "min"))
	if err != nil {
		return valueRange{}, err
	}
	high, err := strconv.Atoi(argument(d, "max"))
	if err == nil && high < low {
		err = errors.New("has a max below min")
	}
	return valueRange{arg.Name, low, high}, err
}

// inRanges returns an error for the first argument out of range. Values have the types that resolvers get.
func inRanges(ranges []valueRange, arguments map[string]any) error {
	for _, r := range ranges {
		v := reflect.Indirect(reflect.ValueOf(arguments[r.argument]))
		switch v.Kind() {
		case reflect.Int:
			if n := v.Int(); n < int64(r.min) || n > int64(r.max) {
				return Errorf(InvalidQueryParams, "%s must be %d to %d.", r.argument, r.min, r.max)
			}
		case reflect.Slice:
			if n := v.Len(); n < r.min || n > r.max {
				return Errorf(InvalidQueryParams, "%s must hold %d to %d values.", r.argument, r.min, r.max)
			}
		}
	}
	return nil
}
