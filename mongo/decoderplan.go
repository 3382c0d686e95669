package mongo

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxPlanFields is the number of bits that remember which fields a document had.
const maxPlanFields = 64

// planCompiler compiles the plan of a type and of all types in it.
type planCompiler struct{ within []reflect.Type }

// record returns the plan of a struct, nil if only the driver can decode it.
func (c *planCompiler) record(t reflect.Type) *recordPlan {
	if t.Kind() != reflect.Struct || strings.HasPrefix(t.PkgPath(), "go.mongodb.org/") ||
		reflect.PointerTo(t).Implements(reflect.TypeFor[bson.Unmarshaler]()) {
		return nil
	}
	if slices.Contains(c.within, t) {
		return nil // recursive types would need plans that refer to themselves
	}
	c.within = append(c.within, t)
	defer func() { c.within = c.within[:len(c.within)-1] }()
	p := &recordPlan{byName: map[string]int{}}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options := storedName(f)
		switch {
		case !f.IsExported() || name == "-":
			continue
		case strings.Contains(options, "truncate"):
			return nil
		case strings.Contains(options, "inline"):
			if !p.addInline(i, c.record(f.Type)) {
				return nil
			}
			continue
		}
		if !p.add(recordField{name, i, c.value(f.Type), f.Type == reflect.TypeFor[bson.RawValue]()}) {
			return nil
		}
	}
	return p
}

// add reports whether the plan can decode a further field.
func (p *recordPlan) add(f recordField) bool {
	_, twice := p.byName[f.name]
	p.byName[f.name] = len(p.fields)
	p.fields = append(p.fields, f)
	return !twice && f.set != nil && len(p.fields) <= maxPlanFields
}

// addInline adds the fields of a struct that are stored beside the record's own.
func (p *recordPlan) addInline(index int, inner *recordPlan) bool {
	if inner == nil {
		return false
	}
	for _, f := range inner.fields {
		within := func(to reflect.Value, kind bson.Type, value []byte) bool {
			return f.set(to.Field(f.index), kind, value)
		}
		if !p.add(recordField{f.name, index, within, f.null}) {
			return false
		}
	}
	return true
}

// value returns the setter for a type, nil if only the driver can decode it.
func (c *planCompiler) value(t reflect.Type) setter {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return setTime
	case t == reflect.TypeFor[bson.RawValue]():
		return setRaw
	case reflect.PointerTo(t).Implements(reflect.TypeFor[bson.ValueUnmarshaler]()):
		return setUnmarshaler
	case strings.HasPrefix(t.PkgPath(), "go.mongodb.org/") || t.PkgPath() == "encoding/json":
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		return setString
	case reflect.Bool:
		return setBool
	case reflect.Int, reflect.Int64:
		return setInt
	case reflect.Float64:
		return setFloat
	case reflect.Struct:
		if p := c.record(t); p != nil {
			return func(to reflect.Value, kind bson.Type, value []byte) bool {
				return kind == bson.TypeEmbeddedDocument && p.decode(value, to)
			}
		}
	case reflect.Pointer:
		return setPointer(t.Elem(), c.value(t.Elem()))
	case reflect.Slice:
		switch elem := t.Elem(); {
		case elem.Kind() == reflect.Uint8:
			return setBytes
		case elem.Kind() == reflect.Pointer:
			return setList(t, c.value(elem.Elem()))
		default:
			return setList(t, c.value(elem))
		}
	case reflect.Map:
		if t.Key() == reflect.TypeFor[string]() {
			return setMap(t, c.value(t.Elem()))
		}
	}
	return nil
}
