package graph

import (
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

// hintOfField returns the hint of a field. @cacheControl gives a hint to a field, or to every field of its type. A
// field of an interface gets the strictest hint of the implementing types.
func hintOfField(schema *ast.Schema, def *ast.Definition, field *ast.FieldDefinition) cacheHint {
	if isIntrospection(field.Name) {
		return cacheHint{schemaPolicy.MaxAge, schemaPolicy.Scope}
	}
	hint := hintOf(field.Directives)
	switch {
	case def.Kind == ast.Object:
		hint = hint.and(hintOf(def.Directives))
	case def.Kind == ast.Interface && def.Name != nodeInterface:
		for _, possible := range schema.GetPossibleTypes(def) {
			if f := possible.Fields.ForName(field.Name); f != nil && possible.Kind == ast.Object {
				hint = hint.and(hintOfField(schema, possible, f))
			}
		}
	}
	return hint
}

func hintOf(directives ast.DirectiveList) cacheHint {
	d := directives.ForName("cacheControl")
	if d == nil {
		return noHint
	}
	return cacheHint{time.Duration(number(d, "maxAge")) * time.Second, Scope(argument(d, "scope"))}
}

func (s schemaFacts) hint(f *ast.Field) cacheHint {
	if known, ok := s.fields[f.Definition]; ok {
		return known.hint
	}
	if f.ObjectDefinition != nil { // __typename
		return hintOf(f.ObjectDefinition.Directives)
	}
	return noHint
}

// strictest returns the strictest hint in a selection set. It includes selections with @skip or @include: an operation
// is cached under one policy, whatever its variables.
func (s schemaFacts) strictest(doc *ast.QueryDocument, set ast.SelectionSet) cacheHint {
	hint := noHint
	walk(doc, set, func(selection ast.Selection) bool {
		if f, ok := selection.(*ast.Field); ok {
			hint = hint.and(s.hint(f))
		}
		return true
	})
	return hint
}
