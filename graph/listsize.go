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
	// of names the list directly below the field that is meant; empty for the field's own.
	of string
	// paged reports whether the list is a page.
	paged bool
	// all is the length with the argument fullResult, and at most that of a connection's page.
	all int
}

// fullResult is the argument that requests a whole list instead of a page.
const fullResult = "fullResult"

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
			s, err := readListSize(schema, field, d)
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: @listSize of %s.%s %w", def.Name, field.Name, err))
			}
			sizes[field] = s
		}
	}
	return sizes, errors.Join(problems...)
}

func readListSize(schema *ast.Schema, field *ast.FieldDefinition, d *ast.Directive) (listSize, error) {
	s := listSize{by: argument(d, "by"), of: argument(d, "of"), paged: argument(d, "paged") == "true"}
	for name, into := range map[string]*int{"assumed": &s.assumed, "all": &s.all} {
		if text := argument(d, name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return s, fmt.Errorf("has %s below 1", name)
			}
			*into = n
		}
	}
	list := field
	if s.of != "" {
		list = nil
		if def := schema.Types[field.Type.Name()]; def != nil {
			list = def.Fields.ForName(s.of)
		}
	}
	switch connection := strings.HasSuffix(field.Type.Name(), connectionSuffix); {
	case connection && (s.of != "" || s.by != "" || s.paged):
		return s, errors.New("is on a connection, which has first and last")
	case connection:
		return s, nil
	case list == nil || list.Type.Elem == nil:
		return s, errors.New("is not on a list")
	case s.by != "" && field.Arguments.ForName(s.by) == nil:
		return s, fmt.Errorf("names an unknown argument %s", s.by)
	case s.all > 0 && field.Arguments.ForName(fullResult) == nil:
		return s, fmt.Errorf("has a length for a missing argument %s", fullResult)
	}
	return s, nil
}
