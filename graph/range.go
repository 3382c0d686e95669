package graph

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

type valueRange struct {
	argument string
	min, max int
}

func readRanges(field *ast.FieldDefinition) (ranges []valueRange, _ error) {
	for _, arg := range field.Arguments {
		r, err := readRange(arg)
		if err != nil {
			return nil, fmt.Errorf("with @range of %s %w", arg.Name, err)
		}
		if r != (valueRange{}) {
			ranges = append(ranges, r)
		}
	}
	return ranges, nil
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
