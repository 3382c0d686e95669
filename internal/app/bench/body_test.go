package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
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
	v, err := typedNext(dec)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	apptest.ExpectSameJSON(t, "the baseline's body", body, again)
	return v.Interface()
}

// words is the largest number of members of an object that becomes a struct.
const words = 64

var anyType = reflect.TypeFor[any]()

func typedNext(dec *json.Decoder) (reflect.Value, error) {
	token, err := dec.Token()
	if err != nil {
		return reflect.Value{}, err
	}
	switch v := token.(type) {
	case nil:
		return reflect.ValueOf((*struct{})(nil)), nil
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return reflect.ValueOf(n), nil
		}
		f, err := v.Float64()
		return reflect.ValueOf(f), err
	case json.Delim:
		if v == '{' {
			return typedObject(dec)
		}
		return typedList(dec)
	}
	return reflect.ValueOf(token), nil
}

func typedList(dec *json.Decoder) (reflect.Value, error) {
	var all []reflect.Value
	for dec.More() {
		v, err := typedNext(dec)
		if err != nil {
			return v, err
		}
		all = append(all, v)
	}
	out := reflect.MakeSlice(reflect.SliceOf(oneType(all)), 0, len(all))
	_, err := dec.Token()
	return reflect.Append(out, all...), err
}

func typedObject(dec *json.Decoder) (reflect.Value, error) {
	var names []string
	var all []reflect.Value
	data := false
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return reflect.Value{}, err
		}
		v, err := typedNext(dec)
		if err != nil {
			return v, err
		}
		names, all = append(names, name.(string)), append(all, v)
		data = data || len(names) > words || strings.ContainsAny(name.(string), "'`\",\\ ") || name == "-" || name == ""
	}
	if _, err := dec.Token(); err != nil {
		return reflect.Value{}, err
	}
	if data {
		out := reflect.MakeMapWithSize(reflect.MapOf(reflect.TypeFor[string](), oneType(all)), len(all))
		for i, v := range all {
			out.SetMapIndex(reflect.ValueOf(names[i]), v)
		}
		return out, nil
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
	return out, nil
}

// oneType returns the common type of all values, or any.
func oneType(all []reflect.Value) reflect.Type {
	for _, v := range all {
		if v.Type() != all[0].Type() {
			return anyType
		}
	}
	if len(all) == 0 {
		return anyType
	}
	return all[0].Type()
}
