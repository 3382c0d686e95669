package graph

import (
	"math"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// listSize holds @listSize and @reads of a field: the length of its list and the cost of reading it.
type listSize struct {
	// assumed is the length if no argument gives it; 0 if the schema does not give it either.
	assumed int
	// by names the argument that sets the length: a number, or a list with one value per entry.
	by string
	// most is the largest length that arguments can request; 0 for a list without such arguments.
	most int
	// reads is the cost of reading the list, record the cost of each object, both in fields.
	reads, record int
}

// introspectionShares holds the assumed average list lengths of introspection fields, 1 if not listed: most fields have
// no arguments, and most types wrap no other type. Types and directives are counted instead.
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

// readListSize reads @listSize and @reads of a field, and @reads of its type.
func readListSize(schema *ast.Schema, field *ast.FieldDefinition) listSize {
	d, of := field.Directives.ForName("listSize"), schema.Types[field.Type.Name()]
	s := listSize{
		assumed: number(d, "assumed"), by: argument(d, "by"),
		reads:  number(field.Directives.ForName("reads"), "fields"),
		record: number(of.Directives.ForName("reads"), "fields"),
	}
	by := s.by
	if strings.HasSuffix(of.Name, connectionSuffix) {
		by = "first"
	}
	if by != "" {
		s.most = readRange(field.Arguments.ForName(by)).max
	}
	if all := number(d, "all"); all > 0 {
		s.most = min(s.most, all)
	}
	return s
}
