package graph

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// listSize is what @listSize says beside a field: how many entries a list has.
type listSize struct {
	// assumed is how many when nothing tells better; 0 when the schema does not say.
	assumed int
	// by names the argument that says how many are wanted: a number, or one for each value
	// of a list.
	by string
	// of names the field right below whose list is meant; empty for the field's own.
	of string
	// paged says that the list is a page.
	paged bool
	// all is how many there are with the argument fullResult.
	all int
}

// fullResult is the argument that asks for a whole list instead of a page.
const fullResult = "fullResult"

// introspectionShares are how often something of a type is taken to be there, on average, 1
// when not named: most fields have no arguments, and most types wrap no other. All types and
// all directives are as many as they are.
var introspectionShares = map[string]float64{
	"fields": 10, "args": 0.2, "ofType": 0.5, "enumValues": 0.5,
	"inputFields": 0.5, "interfaces": 0.2, "possibleTypes": 0.2, "locations": 2,
}

// introspected is the weight of what stands under a field of the schema itself.
func introspected(schema *ast.Schema, f *ast.Field, below int) int {
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

// readListSizes reads @listSize of every field; what it names must be there.
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
				return s, fmt.Errorf("has a number %s below 1", name)
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
	switch {
	case list == nil || list.Type.Elem == nil:
		return s, errors.New("belongs to no list")
	case s.by != "" && field.Arguments.ForName(s.by) == nil:
		return s, fmt.Errorf("names an argument %s that is not there", s.by)
	case s.all > 0 && field.Arguments.ForName(fullResult) == nil:
		return s, fmt.Errorf("says how long the list is with an argument %s that is not there", fullResult)
	}
	return s, nil
}
