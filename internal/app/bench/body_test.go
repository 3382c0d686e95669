package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// asTypes returns a JSON body as values of Go types built for it: structs where member names are fixed, maps where they
// are data. encoding/json cannot encode that body much faster.
func asTypes(t testing.TB, body []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var decoded any
	if err := dec.Decode(&decoded); err != nil {
		t.Fatal(err)
	}
	typed := typedValue(decoded).Interface()
	again, err := json.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	apptest.ExpectSameJSON(t, "the baseline's body", body, again)
	return typed
}

func typedValue(v any) reflect.Value {
	switch v := v.(type) {
	case nil:
		return reflect.ValueOf((*struct{})(nil))
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return reflect.ValueOf(n)
		}
		f, _ := v.Float64() // asTypes compares what becomes of it
		return reflect.ValueOf(f)
	case []any:
		all := make([]reflect.Value, len(v))
		for i := range v {
			all[i] = typedValue(v[i])
		}
		return reflect.Append(reflect.MakeSlice(reflect.SliceOf(oneType(all)), 0, len(all)), all...)
	case map[string]any:
		return typedObject(v)
	}
	return reflect.ValueOf(v)
}

// words is the largest number of members of an object that becomes a struct.
const words = 64

func typedObject(members map[string]any) reflect.Value {
	names := slices.Sorted(maps.Keys(members))
	all := make([]reflect.Value, len(names))
	for i, name := range names {
		all[i] = typedValue(members[name])
	}
	if len(names) > words || slices.ContainsFunc(names, isData) {
		out := reflect.MakeMapWithSize(reflect.MapOf(reflect.TypeFor[string](), oneType(all)), len(all))
		for i, v := range all {
			out.SetMapIndex(reflect.ValueOf(names[i]), v)
		}
		return out
	}
	fields := make([]reflect.StructField, len(all))
	for i, v := range all {
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("F", i), Type: v.Type(),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"%s"`, names[i])),
		}
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range all {
		out.Field(i).Set(v)
	}
	return out
}

// isData reports whether a member has a name that no tag of a struct can have.
func isData(name string) bool {
	return strings.ContainsAny(name, "'`\",\\ ") || name == "-" || name == ""
}

func oneType(all []reflect.Value) reflect.Type {
	if len(all) == 0 || slices.ContainsFunc(all, func(v reflect.Value) bool { return v.Type() != all[0].Type() }) {
		return reflect.TypeFor[any]()
	}
	return all[0].Type()
}
