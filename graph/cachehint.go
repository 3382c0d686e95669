package graph

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// cacheHint restricts how long a response that contains something may be cached, and for whom.
type cacheHint struct {
	maxAge time.Duration
	scope  Scope
}

var noHint = cacheHint{math.MaxInt64, Shared}

// and returns the stricter age and the stricter scope of two hints.
func (h cacheHint) and(o cacheHint) cacheHint {
	h.maxAge = min(h.maxAge, o.maxAge)
	if o.scope == User {
		h.scope = User
	}
	return h
}

// nodeInterface is the interface of every object with an id. Its only field is the id, which never changes and is the
// same for each viewer. Other fields are selected on the concrete type.
const nodeInterface = "Node"

// cacheHints are the hints of fields below the root: of a field with @cacheControl and of every field of a type
// with it. A field of an interface has the strictest hint of the types that implement it.
type cacheHints struct {
	types  map[string]cacheHint // of objects
	fields map[*ast.FieldDefinition]cacheHint
}

// readCacheHints reads @cacheControl of all types and of the fields below the root.
func readCacheHints(schema *ast.Schema) (cacheHints, error) {
	hints := cacheHints{map[string]cacheHint{}, map[*ast.FieldDefinition]cacheHint{}}
	var problems []error
	for _, def := range schema.Types {
		if def.Kind != ast.Object || def == schema.Query || def == schema.Mutation || def == schema.Subscription {
			continue
		}
		ofType, err := hintOf(def.Directives)
		if err != nil {
			problems = append(problems, fmt.Errorf("graph: %s %w", def.Name, err))
		}
		hints.types[def.Name] = ofType
		for _, field := range def.Fields {
			own, err := hintOf(field.Directives)
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: %s.%s %w", def.Name, field.Name, err))
			}
			hints.fields[field] = ofType.and(own)
		}
	}
	for _, def := range schema.Types {
		if def.Kind != ast.Interface || def.Name == nodeInterface {
			continue
		}
		for _, field := range def.Fields {
			hint, err := hintOf(field.Directives)
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: %s.%s %w", def.Name, field.Name, err))
			}
			for _, possible := range schema.GetPossibleTypes(def) {
				if f := possible.Fields.ForName(field.Name); f != nil && possible.Kind == ast.Object {
					hint = hint.and(hints.fields[f])
				}
			}
			hints.fields[field] = hint
		}
	}
	return hints, errors.Join(problems...)
}

func hintOf(directives ast.DirectiveList) (cacheHint, error) {
	d := directives.ForName("cacheControl")
	if d == nil {
		return noHint, nil
	}
	return readHint(d)
}

func (h cacheHints) of(f *ast.Field) cacheHint {
	if hint, ok := h.fields[f.Definition]; ok {
		return hint
	}
	if f.ObjectDefinition != nil { // __typename
		if hint, ok := h.types[f.ObjectDefinition.Name]; ok {
			return hint
		}
	}
	return noHint
}

// strictest returns the strictest hint of everything in a selection set. Selections that @skip or @include may leave
// out count: an operation is cached under one policy, whatever its variables.
func (h cacheHints) strictest(doc *ast.QueryDocument, set ast.SelectionSet) cacheHint {
	hint := noHint
	walk(doc, set, func(selection ast.Selection) bool {
		if f, ok := selection.(*ast.Field); ok {
			hint = hint.and(h.of(f))
		}
		return true
	})
	return hint
}
