package graph

import (
	"errors"
	"fmt"
	"math"
	"strconv"
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
func readListSize(schema *ast.Schema, field *ast.FieldDefinition) (s listSize, err error) {
	if d := schema.Types[field.Type.Name()].Directives.ForName("reads"); d != nil {
		if s.record, err = positive(d, "fields"); err != nil {
			return s, err
		}
	}
	if d := field.Directives.ForName("reads"); d != nil {
		if s.reads, err = positive(d, "fields"); err != nil {
			return s, err
		}
	}
	connection := strings.HasSuffix(field.Type.Name(), connectionSuffix)
	if connection {
		if s.most, err = largest(field, "first"); err != nil {
			return s, err
		}
	}
	d := field.Directives.ForName("listSize")
	if d == nil {
		return s, nil
	}
	s.by = argument(d, "by")
	all := s.most
	for name, into := range map[string]*int{"assumed": &s.assumed, "all": &all} {
		if argument(d, name) != "" {
			if *into, err = positive(d, name); err != nil {
				return s, err
			}
		}
	}
	switch {
	case connection && s.by != "":
		return s, errors.New("is on a connection, which has first and last")
	case connection:
		s.most = min(s.most, all)
		return s, nil
	case field.Type.Elem == nil:
		return s, errors.New("is not on a list")
	case all > 0:
		return s, errors.New("has a whole length, which is for connections")
	case s.by != "":
		s.most, err = largest(field, s.by)
	}
	return s, err
}

func largest(field *ast.FieldDefinition, name string) (int, error) {
	arg := field.Arguments.ForName(name)
	if arg == nil {
		return 0, fmt.Errorf("names an unknown argument %s", name)
	}
	r, err := readRange(arg)
	if err == nil && r.max < 1 {
		err = fmt.Errorf("needs @range on the argument %s", name)
	}
	return r.max, err
}

// positive returns an argument of a directive, which must be a number above 0.
func positive(d *ast.Directive, name string) (int, error) {
	n, err := strconv.Atoi(argument(d, name))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("has %s below 1", name)
	}
	return n, nil
}
