package graph

import (
	"cmp"
	"context"
	"reflect"
	"time"
)

// NotFoundAge limits how long a missing record is cached.
const NotFoundAge = 10 * time.Second

// lacks reports whether the result of a lookup is null or a list that contains null.
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

// NoteMissing records that a list lacks an object selected by uuid or name. The response is then cacheable only for
// NotFoundAge.
func NoteMissing(ctx context.Context, missing bool) {
	if r := runOf(ctx); r != nil && missing {
		r.missing.Store(true)
	}
}

// missingAge returns the max age of a response with a missing record: it ends NotFoundAge after the record was first
// known to be missing, however old the other records are.
func (s ReadStats) missingAge() time.Duration {
	if s.Made.IsZero() {
		return NotFoundAge
	}
	return NotFoundAge + cmp.Or(s.Missing, time.Now()).Sub(s.Made)
}
