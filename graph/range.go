package graph

import (
	"reflect"

	"github.com/vektah/gqlparser/v2/ast"
)

// valueRange holds @range of an argument.
type valueRange struct {
	argument string
	min, max int
}

func readRanges(field *ast.FieldDefinition) (ranges []valueRange) {
	for _, arg := range field.Arguments {
		if arg.Directives.ForName("range") != nil {
			ranges = append(ranges, readRange(arg))
		}
	}
	return ranges
}

func readRange(arg *ast.ArgumentDefinition) valueRange {
	d := arg.Directives.ForName("range")
	return valueRange{arg.Name, number(d, "min"), number(d, "max")}
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
