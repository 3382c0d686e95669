package mongo

import (
	"reflect"
	"time"
)

// Clone returns a deep copy of a record. Change the copy and pass both to Save.
func Clone[T any](record *T) *T { return cloned(record).(*T) }

func cloned(record any) any {
	from := reflect.ValueOf(record).Elem()
	out := reflect.New(from.Type())
	clone(out.Elem(), from)
	return out.Interface()
}

var timeType = reflect.TypeFor[time.Time]()

func clone(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			clone(to.Elem(), from.Elem())
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				clone(to.Index(i), from.Index(i))
			}
		}
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
			for _, key := range from.MapKeys() {
				value := reflect.New(from.Type().Elem()).Elem()
				clone(value, from.MapIndex(key))
				to.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		to.Set(from) // unexported fields too
		if from.Type() == timeType {
			return
		}
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				clone(to.Field(i), from.Field(i))
			}
		}
	default:
		to.Set(from)
	}
}
