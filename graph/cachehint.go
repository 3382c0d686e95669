package graph

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// cacheHint limits for how long and for whom responses with a field may be cached.
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

// nodeInterface is the interface of every object with an id. Its only field, the id, never changes and is the same for
// every viewer. Other fields are selected on concrete types.
const nodeInterface = "Node"

// cacheHints holds the hints of fields below the root. @cacheControl gives a hint to a field, or to every field of its
// type. A field of an interface gets the strictest hint of the implementing types.
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

// strictest returns the strictest hint in a selection set. It includes selections with @skip or @include: an operation
// is cached under one policy, whatever its variables.
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
