package graph

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// listSize is @listSize on a field: how many entries a list has.
type listSize struct {
	// assumed is the length if no argument says it; 0 if the schema does not say it either.
	assumed int
	// by names the argument that sets the length: a number, or a list with one value per entry.
	by string
	// all is the length of a connection's whole list, so at most that of its page; 0 for maxFirst.
	all int
}

// introspectionShares are the assumed average lengths of introspection's fields, 1 if not listed:
// most fields have no arguments, and most types wrap no other. Types and directives are counted.
var introspectionShares = map[string]float64{
	"fields": 10, "args": 0.2, "ofType": 0.5, "enumValues": 0.5,
	"inputFields": 0.5, "interfaces": 0.2, "possibleTypes": 0.2, "locations": 2,
}

// introspectionCost returns the cost of the selections of an introspection field.
func introspectionCost(schema *ast.Schema, f *ast.Field, below int) int {
	switch f.Name {
	case "types":
		return below * len(schema.Types)
	case "directives":
		return below * len(schema.Directives)
	}
	if share, ok := introspectionShares[f.Name]; ok {
		return int(math.Ceil(float64(below) * share))
	}
	return below
}

// readListSizes reads @listSize of every field. It fails if an argument or list that one names is missing.
func readListSizes(schema *ast.Schema) (map[*ast.FieldDefinition]listSize, error) {
	sizes := map[*ast.FieldDefinition]listSize{}
	var problems []error
	for _, def := range schema.Types {
		for _, field := range def.Fields {
			d := field.Directives.ForName("listSize")
			if d == nil {
				continue
			}
			s, err := readListSize(field, d)
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: @listSize of %s.%s %w", def.Name, field.Name, err))
			}
			sizes[field] = s
		}
	}
	return sizes, errors.Join(problems...)
}

func readListSize(field *ast.FieldDefinition, d *ast.Directive) (listSize, error) {
	s := listSize{by: argument(d, "by")}
	for name, into := range map[string]*int{"assumed": &s.assumed, "all": &s.all} {
		if text := argument(d, name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return s, fmt.Errorf("has %s below 1", name)
			}
			*into = n
		}
	}
	switch connection := strings.HasSuffix(field.Type.Name(), connectionSuffix); {
	case connection && s.by != "":
		return s, errors.New("is on a connection, which has first and last")
	case connection:
		return s, nil
	case field.Type.Elem == nil:
		return s, errors.New("is not on a list")
	case s.all > 0:
		return s, errors.New("has a whole length, which is for connections")
	case s.by != "" && field.Arguments.ForName(s.by) == nil:
		return s, fmt.Errorf("names an unknown argument %s", s.by)
	}
	return s, nil
}
