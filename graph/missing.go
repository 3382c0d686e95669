package graph

import (
	"cmp"
	"context"
	"reflect"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// NotFoundAge bounds how long it is cached that a record is missing.
const NotFoundAge = 10 * time.Second

// readLookups returns the fields that look up records by what the caller gives: by, id or ids.
func readLookups(schema *ast.Schema) map[*ast.FieldDefinition]bool {
	out := map[*ast.FieldDefinition]bool{}
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			out[f] = cmp.Or(f.Arguments.ForName("by"), f.Arguments.ForName("id"), f.Arguments.ForName("ids")) != nil
		}
	}
	return out
}

// lacks reports whether the result of a lookup is null or a list with null.
func lacks(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		return v.IsNil()
	case reflect.Slice:
		for i := range v.Len() {
			if lacks(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// NoteMissing notes whether something is missing that a list selects by uuid or name. The response may then be cached
// for NotFoundAge.
func NoteMissing(ctx context.Context, missing bool) {
	if r := runOf(ctx); r != nil && missing {
		r.missing.Store(true)
	}
}

// missingAge is the max age of a response in which a record is missing: it ends NotFoundAge after that was known,
// however old the other records are.
func (s ReadStats) missingAge() time.Duration {
	if s.Made.IsZero() {
		return NotFoundAge
	}
	return NotFoundAge + cmp.Or(s.Missing, time.Now()).Sub(s.Made)
}
